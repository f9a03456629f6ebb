"""A page with the training pairs that `demotic audit` found."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.adapt.auditing import SuspiciousPair
from demotic.base.files import Pathish, atomic_write
from demotic.report.derivations import Derivations
from demotic.report.document import render_document


def write_audit_page(pairs: Sequence[SuspiciousPair], model: str, path: Pathish) -> None:
    """Write a self-contained page.

    Args:
        pairs: the worst first.
        model: its name, for people.
        path: of the HTML file.
    """
    page = render_document("audit.html", f"Audit of {model}", Derivations(), pairs=pairs, model=model)
    with atomic_write(path) as file:
        file.write(page)
