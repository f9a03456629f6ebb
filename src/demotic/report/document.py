"""An HTML document that needs nothing but itself: style and script are in it, and nothing else may run."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import Any

import demotic
from demotic.report.derivations import Derivations
from demotic.report.templating import render


def render_document(
    template: str,
    title: str,
    derivations: Derivations,
    **values: Any,
) -> str:
    """The whole document.

    Args:
        template: of the body; it extends `document.html`.
        title: of the window.
        derivations: trees whose buttons are in the body.
        values: what the body shows.
    """
    script, style = _asset("script.js"), _asset("style.css")
    return render(
        template,
        title=title,
        version=demotic.__version__,
        policy=_policy(script),
        style=style,
        script=script,
        trees=derivations.data(),
        **values,
    )


def _asset(name: str) -> str:
    return (files("demotic.report") / "assets" / name).read_text("utf-8")


def _policy(script: str) -> str:
    """Nothing is loaded, and no other script than ours runs, whatever a translation contains."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "form-action 'none'; base-uri 'none'"
    )
