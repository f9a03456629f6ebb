"""Tables with published figures beside one's own, for terminals, Markdown, LaTeX and programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from demotic.base.tables import alignments, escape_latex, latex_table, markdown_table, plain_table


@dataclass(frozen=True)
class Cell:
    """A figure or a text."""

    text: str = ""
    is_bold: bool = False


@dataclass(frozen=True)
class Heading:
    """The head of a column."""

    title: str
    is_published: bool = False  # figures of the paper

    def __str__(self) -> str:
        return f"{self.title} (paper)" if self.is_published else self.title


@dataclass(frozen=True)
class PaperTable:
    """A table in the layout of a paper."""

    headings: Sequence[Heading]
    rows: Sequence[Sequence[Cell]]

    def transposed(self) -> PaperTable:
        """With a row for each column; the first column becomes the header."""
        first, *others = range(len(self.headings))
        headings = [Heading(str(self.headings[first])), *(Heading(row[first].text) for row in self.rows)]
        return PaperTable(
            headings, [[Cell(str(self.headings[i])), *(row[i] for row in self.rows)] for i in others]
        )

    def header(self) -> list[str]:
        """Names of the columns."""
        return [str(heading) for heading in self.headings]

    def alignments(self) -> list[Literal["left", "right"]]:
        """Of the columns."""
        return alignments([[cell.text for cell in row] for row in self.rows], len(self.headings))

    def to_text(self) -> str:
        """Plain text; nothing is bold."""
        return plain_table(self.header(), [[cell.text for cell in row] for row in self.rows])

    def to_markdown(self) -> str:
        """A pipe table."""
        cells = [[f"**{cell.text}**" if cell.is_bold else cell.text for cell in row] for row in self.rows]
        return markdown_table(self.header(), cells)

    def to_latex(self) -> str:
        """A LaTeX tabular."""
        cells = [
            [
                rf"\textbf{{{escape_latex(cell.text)}}}" if cell.is_bold else escape_latex(cell.text)
                for cell in row
            ]
            for row in self.rows
        ]
        return latex_table([escape_latex(title) for title in self.header()], cells, is_latex=True)

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {"header": self.header(), "rows": [[cell.text for cell in row] for row in self.rows]}
