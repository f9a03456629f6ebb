"""What the options of a dataclass mean: the comments beside its fields, for `demotic learners NAME`."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import textwrap
import tokenize
import typing
from typing import Any


@dataclasses.dataclass(frozen=True)
class OptionHelp:
    """One option.

    Attributes:
        name: of the field.
        type: its annotation, as written.
        default: its default value.
        choices: the values that it may have, if they are few and have names.
        help: the comment beside it; empty if there is none.
    """

    name: str
    type: str
    default: Any
    choices: tuple[str, ...]
    help: str


def option_help(cls: type[Any]) -> list[OptionHelp]:
    """Name, type, default and comment of every field of a dataclass, inherited ones included.

    A class that only overrides a default inherits the comment.
    """
    comments: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if dataclasses.is_dataclass(base):
            comments |= _comments(base)
    hints = typing.get_type_hints(cls)
    return [
        OptionHelp(
            field.name,
            str(field.type),
            _default(field),
            _choices(hints[field.name]),
            comments.get(field.name, ""),
        )
        for field in dataclasses.fields(cls)
    ]


def _choices(hint: Any) -> tuple[str, ...]:
    return tuple(map(str, typing.get_args(hint))) if typing.get_origin(hint) is typing.Literal else ()


def _comments(cls: type[Any]) -> dict[str, str]:
    """Comments of the fields that a class itself declares."""
    source = textwrap.dedent(inspect.getsource(cls))
    by_line = {
        token.start[0]: token.string.removeprefix("#").strip()
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    declared = ast.parse(source).body[0]
    assert isinstance(declared, ast.ClassDef)
    found = {}
    for node in declared.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            text = " ".join(by_line[line] for line in lines if line in by_line)
            if text:
                found[node.target.id] = text
    return found


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return None if field.default is dataclasses.MISSING else field.default
