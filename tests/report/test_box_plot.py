"""Box plots of replicas."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.report.box_plot import box_of, box_plot

SYSTEMS = {"MIRA": [27.0, 27.2, 26.5, 27.4, 26.9], "PRO": [27.1, 27.3], "perceptron": [28.0]}


def test_what_a_box_shows():
    box = box_of([1.0, 2.0, 3.0, 4.0, 10.0])
    assert (box["med"], box["mean"], box["q1"], box["q3"]) == (3.0, 4.0, 2.0, 4.0)
    assert box["fliers"] == [1.0, 10.0]
    assert (box["whislo"], box["whishi"]) == pytest.approx((4 - 12.5**0.5, 4 + 12.5**0.5))


def test_png_and_svg(tmp_path: Path):
    files = box_plot(SYSTEMS, tmp_path / "figure")
    assert [file.name for file in files] == ["figure.png", "figure.svg"]
    assert files[0].read_bytes().startswith(b"\x89PNG")
    once = files[1].read_bytes()
    text = once.decode()
    assert "<svg" in text and "MIRA" in text and "perceptron" in text and "5 runs" in text
    assert [file.name for file in box_plot(SYSTEMS, tmp_path / "figure.svg")] == ["figure.svg"]
    assert files[1].read_bytes() == once


def test_bad_input(tmp_path: Path):
    with pytest.raises(DemoticError, match="several runs"):
        box_plot({"perceptron": [28.0]}, tmp_path / "figure.png")
    with pytest.raises(DemoticError, match=r"unknown kind of figure '\.pdf'"):
        box_plot(SYSTEMS, tmp_path / "figure.pdf")
