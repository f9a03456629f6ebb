"""`demotic groups`: which features share a weight."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.cli.common import Json, emit, table

if TYPE_CHECKING:
    from rich.table import Table

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
    from demotic.features import FeatureGroups, Weights

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
    if group:
        emit(plain, [_members(group, numbered[group - 1][1], value[group])], json)
    else:
        title = f"{model}: {groups.features:,} features in {len(groups):,} groups"
        emit(plain, [_largest(title, chosen, value)], json)


def _members(group: int, names: list[str], weight: float) -> Table:
    """All features of a group."""
    from demotic.features import describe

    title = f"group {group}: {len(names):,} features, weight {weight:+.6g}"
    return table(title, ["member", "feature"], [(describe(name), name) for name in names])


def _largest(title: str, chosen: list[tuple[int, list[str]]], weights: dict[int, float]) -> Table:
    """A row per group."""
    from demotic.features import describe

    rows = [
        (
            str(number),
            len(names),
            f"{weights[number]:+.6g}",
            "; ".join(map(describe, names[:_EXAMPLES])) + (" ..." if len(names) > _EXAMPLES else ""),
        )
        for number, names in chosen
    ]
    return table(title, ["group", "features", "weight", "members"], rows)
