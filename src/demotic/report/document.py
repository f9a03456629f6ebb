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
    *,
    package: str = "demotic.report",
    forms: bool = False,
    **values: Any,
) -> str:
    """The whole document.

    Args:
        template: of the body; it extends `document.html`.
        title: of the window.
        derivations: trees whose buttons are in the body.
        package: whose template it is.
        forms: whether forms may be sent to where the document came from.
        values: what the body shows.
    """
    script, style = _asset("script.js"), _asset("style.css")
    return render(
        template,
        package=package,
        title=title,
        version=demotic.__version__,
        policy=_policy(script, forms),
        style=style,
        script=script,
        trees=derivations.data(),
        **values,
    )


def _asset(name: str) -> str:
    return (files("demotic.report") / "assets" / name).read_text("utf-8")


def _policy(script: str, forms: bool) -> str:
    """Nothing is loaded, and no other script than ours runs, whatever a translation contains."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    action = "'self'" if forms else "'none'"
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        f"form-action {action}; base-uri 'none'"
    )
