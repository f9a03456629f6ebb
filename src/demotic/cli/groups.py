"""`demotic groups`: which features share a weight."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, emit, table

app = typer.Typer(help="Inspect groups of features that share a weight.", no_args_is_help=True)

_EXAMPLES = 3  # members in the table


@app.command("show")
def show(
    model: Annotated[
        Path, typer.Argument(help="Model with feature groups, from `demotic tune --learner oscar`.")
    ],
    n: Annotated[
        int, typer.Option("-n", min=0, help="Number of groups to show, the largest first; 0 shows all.")
    ] = 20,
    group: Annotated[
        int,
        typer.Option("--group", min=0, help="Show only the group with this number, with all its members."),
    ] = 0,
    json: Json = False,
) -> None:
    """Print sizes, weights and members of groups."""
    from demotic.base.errors import DemoticError
    from demotic.decode.model_folder import ModelFolder
    from demotic.features import FeatureGroups, Weights, describe

    groups = FeatureGroups.load(model)
    weights = Weights.unpack(groups.tie(ModelFolder(model).weights.pack()))
    numbered = list(enumerate(groups.members(), start=1))
    if group > len(numbered):
        raise DemoticError(
            f"group must be at most {len(numbered)} (got {group})",
            model,
            hint=f"groups are numbered from 1 to {len(numbered)}",
        )
    chosen = sorted(numbered, key=lambda item: (-len(item[1]), item[0]))[: n or None]
    if group:
        chosen = [numbered[group - 1]]
    value = {number: weights.get(f"group:{number}") for number, _ in chosen}
    plain = {
        "groups": len(groups),
        "features": groups.features,
        "shown": [
            {"group": number, "size": len(names), "weight": value[number], "members": names}
            for number, names in chosen
        ],
    }
    title = f"{model}: {groups.features:,} features in {len(groups):,} groups"
    if group:
        names = numbered[group - 1][1]
        title = f"group {group}: {len(names):,} features, weight {value[group]:+.6g}"
        emit(plain, [table(title, ["member", "feature"], [(describe(name), name) for name in names])], json)
        return
    rows = [
        (
            str(number),
            len(names),
            f"{value[number]:+.6g}",
            "; ".join(map(describe, names[:_EXAMPLES])) + (" ..." if len(names) > _EXAMPLES else ""),
        )
        for number, names in chosen
    ]
    emit(plain, [table(title, ["group", "features", "weight", "members"], rows)], json)
