"""`demotic undo`: corrections are taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, emit, table


def undo(
    model: Annotated[Path, typer.Argument(help="Model folder; the command changes it.")],
    last: Annotated[int, typer.Option("--last", min=1, help="Number of corrections to take back.")] = 1,
    json: Json = False,
) -> None:
    """Take back the last corrections, and restore rules and weights exactly."""
    from demotic.adapt import LearningModel

    loaded = LearningModel(model)
    loaded.undo(last)
    result = {"undone": last, "additions": len(loaded.additions.pairs)}
    emit(result, [table(f"{model}", list(result), [list(result.values())])], json)
