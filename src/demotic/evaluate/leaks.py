"""Has the model seen the test set? The longest matches between test and training text, by the index's suffix arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.corpus.preprocess import Side
from demotic.grammar import GrammarIndex

Sentence = Sequence[str]
_SHOWN = 5  # longest matches of a side, and numbers of lines: for people to look at


@dataclass(frozen=True)
class LongestMatch:
    """A stretch of a test sentence that a training sentence has."""

    line: int  # of the test set, from 1 on
    begin: int  # first word, from 0 on
    length: int  # in words
    words: int  # of the test sentence
    pair: int  # of the training corpus, from 0 on
    text: str


@dataclass(frozen=True)
class SideLeaks:
    """What one side of the test set shares with that side of the training corpus."""

    side: Side
    sentences: int
    whole: tuple[int, ...]  # lines, from 1 on, that are sentences of the training corpus
    matched_words: float  # mean over sentences of longest match / length
    longest: tuple[LongestMatch, ...]  # longest first
    example: str = ""  # the first sentence that is in the training corpus


@dataclass(frozen=True)
class MonolingualLeaks:
    """References that are in the monolingual text of the language model."""

    sentences: int
    whole: tuple[int, ...]  # lines, from 1 on, that are sentences of the monolingual text
    example: str = ""  # the first of them


@dataclass(frozen=True)
class LeakReport:
    """Leaks on the sides that were looked at, and lines whose translation could be copied from the training corpus."""

    sides: tuple[SideLeaks, ...]
    pairs: tuple[int, ...]  # lines, from 1 on, that are with their translation a pair of the training corpus
    monolingual: MonolingualLeaks | None = None  # None: there is no monolingual text

    def summary(self) -> str:
        """A line to stand beside a score."""
        parts = [
            f"{len(side.whole):,} of {side.sentences:,} {side.side} sentences ({100 * side.matched_words:.0f}% of the words in the longest match)"
            for side in self.sides
        ]
        pairs = [f"{len(self.pairs):,} with their translation"] if len(self.sides) > 1 else []
        text = "in the training corpus: " + ", ".join(parts + pairs)
        if self.monolingual is not None:
            found = self.monolingual
            text += f"; in the monolingual text: {len(found.whole):,} of {found.sentences:,} references"
        return text

    def warnings(self, name: str = "test set") -> list[str]:
        """One line of text for each kind of leak; none if there is nothing to worry about.

        Args:
            name: of what was looked for.
        """
        found = [
            f"{len(side.whole)} of {side.sentences} {side.side} sentences of the {name} are in the training corpus"
            f' (lines {_some(side.whole)}), such as "{side.example}"'
            for side in self.sides
            if side.whole
        ]
        if self.monolingual is not None and self.monolingual.whole:
            leaks = self.monolingual
            found.append(
                f"{len(leaks.whole)} of {leaks.sentences} references of the {name} are in the monolingual text of the language model"
                f' (lines {_some(leaks.whole)}), such as "{leaks.example}"'
            )
        if self.pairs:
            found.append(
                f"{len(self.pairs)} of {self.sides[0].sentences} sentences of the {name} are in the training corpus with their translation"
                f" (lines {_some(self.pairs)}): scores on them say little about new text"
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return asdict(self)


def leak_check(
    index: GrammarIndex,
    source: Sequence[Sentence] | None = None,
    references: Sequence[Sequence[Sentence]] = (),
    mono: Pathish | None = None,
) -> LeakReport:
    """Look for a test set in the training corpus, and for its references in monolingual text.

    Args:
        index: of the training corpus.
        source: source side of the test set, tokenised and cased as the corpus is.
        references: one list of sentences for each set of references, likewise.
        mono: prepared monolingual text that the language model was trained on.
    """
    for lines in references:
        if source is not None and len(lines) != len(source):
            raise DemoticError(
                f"source and reference differ in length: {len(source)} and {len(lines)} sentences"
            )
    sides = []
    if source is not None:
        sides.append(_side_leaks(index, "source", [source]))
    if references:
        sides.append(_side_leaks(index, "target", references))
    monolingual = monolingual_leaks(mono, references) if mono is not None and references else None
    return LeakReport(tuple(sides), tuple(_leaked_pairs(index, source or [], references)), monolingual)


def monolingual_leaks(mono: Pathish, references: Sequence[Sequence[Sentence]]) -> MonolingualLeaks:
    """Look for the references of a test set in monolingual text.

    Args:
        mono: prepared text, one sentence per line.
        references: one list of sentences for each set of references, prepared likewise.
    """
    lines = [[" ".join(words) for words in alternatives] for alternatives in zip(*references, strict=True)]
    wanted = {text for alternatives in lines for text in alternatives if text}
    found = {text for text in read_lines(mono) if text in wanted}
    known = [(i, text) for i, texts in enumerate(lines, start=1) for text in texts if text in found]
    whole = tuple(dict.fromkeys(i for i, _ in known))
    return MonolingualLeaks(len(lines), whole, known[0][1] if known else "")


def _side_leaks(index: GrammarIndex, side: Side, versions: Sequence[Sequence[Sentence]]) -> SideLeaks:
    """Of several versions of the test set (references) the one that matches most counts for each sentence."""
    matches, whole, example = [], [], ""
    for line, alternatives in enumerate(zip(*versions, strict=True), start=1):
        matches.append(max((_longest(index, side, line, words) for words in alternatives), key=_share))
        known = [words for words in alternatives if index.pairs_with(words, side)]
        if known:
            example = example or " ".join(known[0])
            whole.append(line)
    shares = [_share(match) for match in matches]
    ranked = sorted(matches, key=lambda match: (-match.length, match.line))
    return SideLeaks(
        side, len(matches), tuple(whole), sum(shares) / max(1, len(shares)), tuple(ranked[:_SHOWN]), example
    )


def _longest(index: GrammarIndex, side: Side, line: int, words: Sentence) -> LongestMatch:
    begin, length, pair = index.longest_match(words, side)
    return LongestMatch(line, begin, length, len(words), pair, " ".join(words[begin : begin + length]))


def _share(match: LongestMatch) -> float:
    return match.length / match.words if match.words else 0.0


def _leaked_pairs(
    index: GrammarIndex, source: Sequence[Sentence], references: Sequence[Sequence[Sentence]]
) -> list[int]:
    found = []
    for line, words in enumerate(source):
        pairs = set(index.pairs_with(words, "source"))
        if pairs and any(pairs & set(index.pairs_with(lines[line], "target")) for lines in references):
            found.append(line + 1)
    return found


def _some(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:_SHOWN]))
    return shown + (", ..." if len(lines) > _SHOWN else "")
