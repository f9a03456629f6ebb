"""HTML from Python values. Text is escaped; only `Markup` is taken as it is."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from typing import Any

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_VOID = frozenset({"meta", "input", "br"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: str) -> Markup:
    """Any text, harmless: what has a meaning in HTML is escaped, and what must not stand in it is replaced."""
    return Markup(html.escape(_CONTROL.sub("�", value)))


def element(tag: str, /, *children: Any, **attributes: str | int | bool | None) -> Markup:
    """An element.

    Args:
        tag: its name.
        children: text, `Markup`, None, or iterables of these.
        attributes: `_` stands for `-`, and one at the end is dropped (`class_`, `for_`); True is an attribute without a
            value, None and False leave it out.
    """
    parts = [
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    ]
    start = f"<{tag}{''.join(parts)}>"
    return Markup(start) if tag in _VOID else Markup(f"{start}{join(children)}</{tag}>")


def join(children: Iterable[Any]) -> Markup:
    """Children one after the other."""
    return Markup("".join(map(_child, children)))


def json_script(identifier: str, value: Any) -> Markup:
    """Data for the page's script. No text in it can end the element."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    safe = (
        _CONTROL.sub("�", data)
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
    return Markup(f'<script type="application/json" id="{text(identifier)}">{safe}</script>\n')


def slug(name: str) -> str:
    """A name for anchors and files: letters, digits and `-`."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "part"


def _child(child: Any) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return text(child)
    return join(child)
