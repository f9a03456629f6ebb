"""HTML from templates (Jinja2): text is escaped, and what must not stand in a page is replaced."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]"
)  # cannot stand in HTML, or in UTF-8


def render(template: str, /, package: str = "demotic.report", **values: Any) -> str:
    """A template filled with values.

    Args:
        template: name of its file in the folder `templates` of the package.
        package: whose template it is.
        values: by the names that the template has for them; it is an error to leave one out.
    """
    return _CONTROL.sub("�", templates(package).get_template(template).render(values))


@cache
def templates(package: str) -> Environment:
    """The templates of a package, compiled once. They can extend and import those of the report."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loaders = [PackageLoader(name) for name in dict.fromkeys([package, "demotic.report"])]
    environment = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False,
        "separators": (",", ":"),
        "allow_nan": False,
    }
    return environment


def slug(name: str) -> str:
    """A name for anchors and files: letters, digits and `-`."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "part"
