"""cdec's files: grammars as text, and input lines that name the grammar of each sentence.

`<seg grammar="grammar.0.gz" id="0"> ein satz </seg>`, with paths relative to the file of the line, and anything behind
`</seg>` (` ||| reference`) kept as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from demotic import _core
from demotic.base.checks import whole_number
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_blocks, read_lines
from demotic.grammar.rules import Grammar

_SEGMENT = re.compile(r"<seg((?:\s+[\w-]+=\"[^\"]*\")*)\s*>(.*)</seg>(.*)")
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")


def read_grammar(path: Pathish) -> Grammar:
    """Read a grammar in cdec's format (plain, .gz, .xz), in memory proportional to its rules."""
    reader = _core.CdecReader(str(path))
    for block in read_blocks(path):
        reader.add(block)
    return Grammar(reader.finish())


def parse_grammar(text: str, name: str = "grammar") -> Grammar:
    """The rules in a text in cdec's format; `name` is for errors."""
    reader = _core.CdecReader(name)
    reader.add(text.encode())
    return Grammar(reader.finish())


def write_grammar(grammar: Grammar, path: Pathish) -> None:
    """Write a grammar in cdec's format, compressed if the name ends in .gz."""
    with atomic_write(path) as file:
        file.write(grammar.native.to_text().decode())


@dataclass(frozen=True)
class Segment:
    """One line of input with the file of its grammar."""

    sentence: str
    id: int
    grammar: Path
    rest: str = ""  # what stands behind </seg>, such as ` ||| reference`

    def __str__(self) -> str:
        return f'<seg grammar="{self.grammar}" id="{self.id}"> {self.sentence} </seg>{self.rest}'


def read_segments(path: Pathish) -> Iterator[Segment]:
    """Read `<seg grammar=... id=...>` lines; paths are relative to the folder of the file."""
    for number, line in enumerate(read_lines(path), start=1):
        match = _SEGMENT.fullmatch(line.strip())
        attributes = dict(_ATTRIBUTE.findall(match[1])) if match else {}
        segment = whole_number(attributes.get("id", ""))
        if match is None or "grammar" not in attributes or segment is None:
            raise DemoticError(
                "not a <seg> line", path, number, 'expected <seg grammar="FILE" id="0"> words </seg>'
            )
        grammar = Path(path).parent / attributes["grammar"]
        yield Segment(match[2].strip(), segment, grammar, match[3])
