"""An HTML document that needs nothing but itself: style and script are in it, and nothing else may run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib.resources import files

import demotic
from demotic.report.derivations import Derivations
from demotic.report.markup import Markup, element


def document(title: str, body: Iterable[Markup], derivations: Derivations, *, forms: bool = False) -> str:
    """The whole document.

    Args:
        title: of the window.
        body: what is shown.
        derivations: trees whose buttons are in the body.
        forms: whether forms may be sent to where the document came from.
    """
    script, style = _asset("script.js"), _asset("style.css")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script, forms)),
        element("meta", name="generator", content=f"demotic {demotic.__version__}"),
        element("title", title),
        element("style", Markup(style)),
    )
    shown = element("body", body, derivations.script(), element("script", Markup(script)))
    return f"<!DOCTYPE html>\n{element('html', head, shown, lang='en')}\n"


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
