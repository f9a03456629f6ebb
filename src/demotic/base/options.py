"""Options: one frozen dataclass per stage, filled from TOML, with errors that name the key and the nearest valid one."""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import sys
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines

T = TypeVar("T")
_LARGEST = (1 << 63) - 1  # the largest number that the core takes


def load_toml(path: Pathish) -> dict[str, Any]:
    """Read a TOML file; a syntax error carries the line."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    text = "\n".join(read_lines(path))
    try:
        return tomllib.loads(text)
    except (
        ValueError,
        RecursionError,
    ) as error:  # also a number of thousands of digits, thousands of brackets
        message, _, place = str(error).partition(" (at line ")
        line = int(place.split(",")[0]) if place else None
        raise DemoticError(
            f"not valid TOML: {message}", path, line, 'strings need quotes: key = "value"'
        ) from error


def options_from(
    cls: type[T],
    values: Mapping[str, Any],
    *,
    file: Pathish | None = None,
    prefix: str = "",
    defaults: T | None = None,
) -> T:
    """Build an options dataclass from plain values (as TOML gives them), nested dataclasses from nested tables.

    Args:
        cls: the dataclass; its fields have defaults.
        values: keys and values; a missing key keeps its default. In a nested table that is the one of the enclosing class, which may
            differ from that of the nested class.
        file: where the values come from, for errors.
        prefix: the name of the enclosing table, for errors.
        defaults: values of missing keys; default: those of the class.

    Raises:
        DemoticError: for an unknown key (with the nearest valid one) or a value of the wrong type.
    """
    hints = _type_hints(typing.cast(Any, cls))  # to mypy classes are not hashable
    known = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    arguments = {}
    for key, value in values.items():
        name = f"{prefix}{key}"
        if key not in known:
            raise unknown_name("option", name, [f"{prefix}{other}" for other in known], file=file)
        arguments[key] = _convert(hints[key], value, name, file, _default(cls, key))
    try:
        if defaults is not None:
            return typing.cast(T, dataclasses.replace(typing.cast(Any, defaults), **arguments))
        return cls(**arguments)
    except DemoticError as error:  # a value out of its range
        raise DemoticError(error.message, error.file or file, error.line, error.hint) from None


def unknown_name(kind: str, name: str, known: list[str], *, file: Pathish | None = None) -> DemoticError:
    """The error for a name that does not exist, with the nearest one that does."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
    return DemoticError(f"unknown {kind} '{name}'", file, hint=hint)


def options_to_dict(options: Any) -> dict[str, Any]:
    """The plain values of an options dataclass, ready for TOML or JSON; fields that are None are left out."""
    result: dict[str, Any] = {}
    for field in dataclasses.fields(options):
        value = getattr(options, field.name)
        if dataclasses.is_dataclass(value):
            value = options_to_dict(value)
        elif isinstance(value, enum.Enum):
            value = value.value
        elif isinstance(value, Path):
            value = str(value)
        elif isinstance(value, tuple):
            value = [str(item) if isinstance(item, Path) else item for item in value]
        if value is not None:
            result[field.name] = value
    return result


@functools.cache
def _type_hints(cls: type[Any]) -> dict[str, Any]:
    """The types of a class's fields, once: this evaluates the text of every annotation."""
    return typing.get_type_hints(cls)


def _default(cls: type[Any], name: str) -> Any:
    """What a field is if nobody says otherwise; None if it has no default."""
    field = next(each for each in dataclasses.fields(cls) if each.name == name)
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return None if field.default is dataclasses.MISSING else field.default


def _convert(hint: Any, value: Any, name: str, file: Pathish | None, default: Any = None) -> Any:
    origin, choices = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        some = [choice for choice in choices if choice is not type(None)]
        return _convert(type(value) if type(value) in some else some[0], value, name, file, default)
    if origin is tuple:
        return tuple(
            _convert(choices[0], item, f"{name}[{i}]", file)
            for i, item in enumerate(_expect(list, value, name, file))
        )
    if origin is dict:
        return {
            key: item if choices[1] is Any else _convert(choices[1], item, f"{name}.{key}", file)
            for key, item in _expect(dict, value, name, file).items()
        }
    if origin is typing.Literal:
        if value not in choices:
            raise unknown_name(
                f"value for '{name}':", str(value), [str(choice) for choice in choices], file=file
            )
        return value
    if dataclasses.is_dataclass(hint):
        nested = typing.cast(type[Any], hint)
        given = default if isinstance(default, nested) else None
        table = _expect(dict, value, name, file)
        return options_from(nested, table, file=file, prefix=f"{name}.", defaults=given)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        try:
            return hint(value)
        except ValueError:
            raise unknown_name(
                f"value for '{name}':", str(value), [str(e.value) for e in hint], file=file
            ) from None
    if hint is Path:
        return Path(_expect(str, value, name, file))
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise DemoticError(f"option '{name}' must be at most {_LARGEST:,} in size", file)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    value = _expect(hint, value, name, file)
    if isinstance(value, float) and not math.isfinite(value):
        raise DemoticError(f"option '{name}' must be a finite number (got {value})", file)
    return value


_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a table",
}


def _expect(kind: type, value: Any, name: str, file: Pathish | None) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise DemoticError(f"option '{name}' must be {_KINDS.get(kind, kind.__name__)} (got {value!r})", file)
    return value
