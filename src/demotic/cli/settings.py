"""Values of options that are text with a form of its own: `--set`, `--features`, `--watch`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """`KEY=VALUE` as TOML would read it, `TABLE.KEY=VALUE` in a table; a value that is not a number, truth value or list is a string."""
    result: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise DemoticError(f"--set {setting}: expected KEY=VALUE", hint="e.g.  --set epochs=4")
        *tables, name = (part.strip() for part in key.split("."))
        place = result
        for table_name in tables:
            place = place.setdefault(table_name, {})
            if not isinstance(place, dict):
                raise DemoticError(
                    f"--set {setting}: {table_name} is not a table", hint="another --set gave it a value"
                )
        place[name] = _value(text.strip())
    return result


def parse_templates(features: str | None) -> tuple[str, ...] | None:
    """`NAME,NAME`: the names; none for an option that was not given."""
    return None if features is None else tuple(name for name in features.split(",") if name)


def parse_watched(text: str) -> tuple[str, Path, list[Path]]:
    """`NAME=SRC,REF,...`: the name, the source, the references."""
    from demotic.report.epoch_table import EPOCH_COLUMNS

    name, _, files = text.partition("=")
    source, *references = files.split(",")
    if (
        not name.isidentifier()
        or f"{name}_bleu" in EPOCH_COLUMNS
        or not source
        or not all(references or [""])
    ):
        raise DemoticError(
            f"--watch {text}: expected NAME=SRC,REF", hint="e.g.  --watch test=test.de,test.en"
        )
    return name, Path(source), [Path(file) for file in references]


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("[") and text.endswith("]"):
        return [_value(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    for kind in (int, float):
        try:
            return kind(text.replace("_", ""))
        except ValueError:
            continue
    return text
