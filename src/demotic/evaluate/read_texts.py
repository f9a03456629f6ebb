"""Reading hypotheses and references, and checking that they belong together."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines


def read_references(paths: Sequence[Pathish]) -> list[list[str]]:
    """Lines of each reference file; all must have as many as the first."""
    if not paths:
        raise DemoticError("no references given", hint="give at least one file with --ref")
    references: list[list[str]] = []
    for path in paths:
        lines = list(read_lines(path))
        if not lines:
            raise DemoticError("the reference file is empty", path)
        if references and len(lines) != len(references[0]):
            raise DemoticError(
                f"{len(lines)} lines, but {paths[0]} has {len(references[0])}",
                path,
                hint="all references must translate the same lines",
            )
        references.append(lines)
    return references


def read_hypotheses(path: Pathish, references: Sequence[Sequence[str]], reference_file: Pathish) -> list[str]:
    """Lines of a translation; as many as the references have.

    Args:
        path: of the translation.
        references: from `read_references`.
        reference_file: for the error.
    """
    lines = list(read_lines(path))
    if not lines:
        raise DemoticError(f"the file is empty, but {reference_file} has {len(references[0])} lines", path)
    if len(lines) != len(references[0]):
        raise DemoticError(
            f"{len(lines)} lines, but {reference_file} has {len(references[0])}",
            path,
            hint="line N of a translation is compared with line N of the references",
        )
    return lines
