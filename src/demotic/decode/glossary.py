"""Terms that translations must use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.decode.constraints import SpanConstraint

_BAR = re.compile(r"(?<!\\)\|")  # between the forms of a term; `\|` is a bar itself
_WORD = re.compile(r"(?<!\w)\w+|[^\w\s]")
_CASE = "case"


@dataclass(frozen=True)
class Term:
    """One form of a term and its translation."""

    source: str
    target: str
    match_case: bool = False
    line: int = 0  # of the glossary

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The term as whole words, with any space between them."""
        words = r"\s+".join(map(re.escape, self.source.split()))
        before = r"(?<!\w)" if self.source[:1].isalnum() else ""
        behind = r"(?!\w)" if self.source[-1:].isalnum() else ""
        return re.compile(before + words + behind, 0 if self.match_case else re.IGNORECASE)


@dataclass(frozen=True)
class Unmet:
    """A term that occurs in a line and cannot be used there."""

    term: Term
    reason: str


class Glossary:
    """Terms, found in raw text as whole words, in any case unless the term says otherwise.

    Args:
        terms: those that match the same text must have the same translation.
        file: where they come from, for errors.
    """

    def __init__(self, terms: Iterable[Term], file: Pathish = "glossary") -> None:
        self._terms: dict[tuple[bool, str], Term] = {}
        for term in terms:
            form = " ".join(term.source.split())
            key = (not term.match_case, form if term.match_case else form.lower())
            other = self._terms.setdefault(key, term)
            if other.target != term.target:
                raise DemoticError(
                    f"'{form}' has two translations: '{term.target}', and '{other.target}' in line {other.line}",
                    file,
                    term.line,
                    f"keep one of them, or write `{_CASE}` in the third column of a term that has to match in case",
                )

    def __len__(self) -> int:
        """Number of forms."""
        return len(self._terms)

    @classmethod
    def load(cls, path: Pathish) -> Glossary:
        r"""Read a TSV file: source form, target form, and `case` where the case must match. `#` begins a comment.

        Several forms of a term stand in one line with `|` between them: as many on the target side as on the source side, or one for
        all. `\|` is a bar.

        Raises:
            DemoticError: with the line that is wrong.
        """
        return cls.parse(read_lines(path), path)

    @classmethod
    def parse(cls, lines: Iterable[str], file: Pathish = "glossary") -> Glossary:
        """The same for lines that came from elsewhere.

        Args:
            lines: of the glossary.
            file: its name, for errors.

        Raises:
            DemoticError: with the line that is wrong.
        """
        terms: list[Term] = []
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith("#"):
                terms += _read(line, file, number)
        if not terms:
            raise DemoticError("the glossary has no terms", file, hint="each line is `source<TAB>target`")
        return cls(terms, file)

    def constraints(
        self, text: str, before: Sequence[SpanConstraint] = ()
    ) -> tuple[list[SpanConstraint], list[Unmet]]:
        """Where terms occur in a line: the leftmost, and of those that begin at one place the longest.

        Args:
            text: raw.
            before: constraints that have precedence, such as protected text.

        Returns:
            `before` and the terms, for `TranslationModel.translate`; and terms that partly overlap with one of these. A term inside a
            longer one is none of its own.
        """
        taken = list(before)
        unmet: list[Unmet] = []
        for begin, end, term in self._occurrences(text):
            other = next((each for each in taken if each.begin < end and begin < each.end), None)
            if other is None:
                taken.append(SpanConstraint(begin, end, term.target))
            elif not other.begin <= begin < end <= other.end:
                unmet.append(Unmet(term, f"it overlaps with '{text[other.begin : other.end]}'"))
        return sorted(taken, key=lambda each: each.begin), unmet

    def _occurrences(self, text: str) -> Iterator[tuple[int, int, Term]]:
        """The longest term at each place; with equal length the one that matches in case."""
        for word in _WORD.finditer(text):
            best: tuple[int, Term] | None = None
            for term in self._by_first_word.get(word[0].lower(), ()):
                found = term.pattern.match(text, word.start())
                if found and (best is None or found.end() > best[0]):
                    best = found.end(), term
            if best is not None:
                yield word.start(), *best

    @cached_property
    def _by_first_word(self) -> dict[str, list[Term]]:
        """Terms that have to match in case come first."""
        result: dict[str, list[Term]] = {}
        for _, term in sorted(self._terms.items(), key=lambda entry: entry[0]):
            first = _WORD.match(term.source)
            assert first is not None  # see _read
            result.setdefault(first[0].lower(), []).append(term)
        return result


def _read(line: str, path: Pathish, number: int) -> list[Term]:
    """The terms of one line."""
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) not in (2, 3) or (len(columns) == 3 and columns[2] not in ("", _CASE)):
        raise DemoticError(
            f"expected `source<TAB>target`, and perhaps `<TAB>{_CASE}`",
            path,
            number,
            "are the columns separated by tabs?",
        )
    sources, targets = (
        [form.strip().replace(r"\|", "|") for form in _BAR.split(side)] for side in columns[:2]
    )
    if not all(map(_WORD.match, sources)) or not all(targets):
        raise DemoticError("a form of the term is empty", path, number)
    if len(targets) == 1:
        targets *= len(sources)
    if len(targets) != len(sources):
        raise DemoticError(
            f"{len(sources)} source forms, but {len(targets)} target forms",
            path,
            number,
            "give one target form for all, or one for each source form",
        )
    return [Term(*forms, columns[2:] == [_CASE], number) for forms in zip(sources, targets, strict=True)]
