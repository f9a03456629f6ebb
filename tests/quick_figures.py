"""A fixture for tests that are not about what figures look like: matplotlib takes most of the time of a small report."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def quick_figures() -> Iterator[None]:
    """Every figure is drawn; the first of each kind is also rendered, and its bytes stand for the others."""
    figure = pytest.importorskip("matplotlib.figure", reason="matplotlib is not installed")
    render, rendered = figure.Figure.savefig, {}

    def savefig(self: Any, stream: io.BytesIO, *, format: str, transparent: bool, **more: Any) -> None:
        if (format, transparent) not in rendered:
            render(self, stream, format=format, transparent=transparent, **more)
            rendered[format, transparent] = stream.getvalue()
        else:
            stream.write(rendered[format, transparent])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure.Figure, "savefig", savefig)
        yield
