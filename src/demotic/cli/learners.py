"""`demotic learners`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from demotic.cli.common import Json, emit, table

_LEARNS_ON = {
    "either": "dev set or training set",
    "dev": "dev set",
    "train": "training set",
    "train and dev": "training set and dev set",
}


def learners(
    name: Annotated[
        str | None, typer.Argument(help="Learner whose options to show.", show_default="list all learners")
    ] = None,
    json: Json = False,
) -> None:
    """List the learners of `demotic tune`, or the options of one of them."""
    if name is None:
        _list(json)
    else:
        _describe(name, json)


def _list(json: bool) -> None:
    from demotic.learn.registry import LEARNERS

    plain = [
        {"name": name, "learns_on": entry.learns_on, "help": entry.help} for name, entry in LEARNERS.items()
    ]
    rows = [(name, _LEARNS_ON[entry.learns_on], entry.help) for name, entry in LEARNERS.items()]
    emit({"learners": plain}, [table("Learners", ["name", "meant for", "what it is"], rows)], json)
    if not json:
        typer.echo("\nOptions of a learner: demotic learners NAME")


def _describe(name: str, json: bool) -> None:
    from demotic.base.option_help import option_help
    from demotic.learn.registry import learner_options, learner_presets, registered

    entry = registered(name)
    values = learner_options(name, {})
    options = [
        {
            "name": option.name,
            "default": _plain(getattr(values, option.name)),
            "choices": list(option.choices),
            "help": option.help,
        }
        for option in option_help(entry.options_type())
    ]
    presets = {preset: dict(changes) for preset, changes in learner_presets(name).items()}
    rows = [(option["name"], _shown(option["default"]), _meaning(option)) for option in options]
    tables = [table(f"{name}: {entry.help}", ["option", "default", "meaning"], rows)]
    if presets:
        settings = [
            (preset, ", ".join(f"{key}={_shown(value)}" for key, value in changes.items()))
            for preset, changes in presets.items()
        ]
        tables.append(table("Presets (--set preset=NAME)", ["preset", "options"], settings))
    plain = {"name": name, "learns_on": entry.learns_on, "help": entry.help}
    emit(plain | {"options": options, "presets": presets}, tables, json)


def _plain(value: Any) -> Any:
    from dataclasses import is_dataclass

    from demotic.base.options import options_to_dict

    return options_to_dict(value) if is_dataclass(value) else value


def _meaning(option: dict[str, Any]) -> str:
    """The help, and what may be chosen."""
    choices = ", ".join(option["choices"])
    return f"{option['help']} ({choices})" if choices else str(option["help"])


def _shown(value: Any) -> str:
    """A default as `--set` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{...}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(str, value)) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value) or '""'
