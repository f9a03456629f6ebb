"""Options that prescribe translations: glossaries and protected text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.errors import warn

if TYPE_CHECKING:
    from demotic.decode import SpanConstraint

GlossaryFile = Annotated[
    Path | None,
    typer.Option("--glossary", help="TSV file of terms and the translations that they must have."),
]
Protect = Annotated[
    str,
    typer.Option(
        "--protect",
        help="Text to copy unchanged: `tags`, `urls`, `emails`, `placeholders`, `numbers`, separated by commas, or `none`.",
    ),
]
PROTECTED = "tags,urls,emails,placeholders"


def constrainer(glossary: Path | None, protect: str) -> Callable[[int, str], list[SpanConstraint]]:
    """A function from the number of a line, counted from 1, and its raw text to constraints on its spans.

    It warns of terms that cannot be used.
    """
    from demotic.decode.glossary import Glossary
    from demotic.decode.protected import protected_spans

    terms = Glossary.load(glossary) if glossary else None
    kinds = [] if protect == "none" else [kind.strip() for kind in protect.split(",")]
    protected_spans("", kinds)  # a mistake in the kinds is told now

    def constraints(number: int, line: str) -> list[SpanConstraint]:
        found = protected_spans(line, kinds)
        if terms is not None:
            found, unmet = terms.constraints(line, found)
            for each in unmet:
                warn(f"line {number}: the term '{each.term.source}' is not used: {each.reason}")
        return found

    return constraints
