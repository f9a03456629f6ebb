"""`demotic verify`: whether a model is as it was written."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, emit, table


def verify(
    model: Annotated[Path, typer.Argument(help="Model folder, from `demotic train` or `demotic tune`.")],
    json: Json = False,
) -> None:
    """Check the files of a model, and of the run that made it, against their checksums."""
    from demotic.decode import verify_model

    checks = verify_model(model)
    damaged = [check.name for check in checks if not check.is_good]
    rows = [(check.name, check.status, check.detail) for check in checks]
    verdict = f"{len(damaged)} of {len(checks)} damaged or missing" if damaged else "nothing is damaged"
    emit(
        {"model": str(model), "files": [asdict(check) for check in checks], "damaged": damaged},
        [table(f"{model}: {verdict}", ["file", "status", "detail"], rows)],
        json,
    )
    if damaged:
        raise typer.Exit(1)
