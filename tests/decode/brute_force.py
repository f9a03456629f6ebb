"""All derivations of a sentence, by plain recursion and strings: an independent definition of what the decoder does."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from demotic.lm import LanguageModel


@dataclass(frozen=True)
class PlainRule:
    """Words, or 1 and 2 for nonterminals."""

    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    features: dict[str, float] = field(default_factory=dict)

    def line(self) -> str:
        """In cdec's format."""
        side = lambda symbols: " ".join(s if isinstance(s, str) else f"[X,{s}]" for s in symbols)  # noqa: E731
        features = " ".join(f"{name}={value!r}" for name, value in self.features.items())
        return f"[X] ||| {side(self.source)} ||| {side(self.target)} ||| {features} |||\n"


@dataclass(frozen=True)
class PlainDerivation:
    """What a derivation yields: its words, its features without the language model, and the bigrams where its rules meet."""

    words: tuple[str, ...]
    features: tuple[tuple[str, float], ...]
    borders: tuple[tuple[str, float], ...] = ()


def add(*parts: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
    total: dict[str, float] = {}
    for name, value in itertools.chain(*parts):
        total[name] = total.get(name, 0.0) + value
    return tuple(sorted(total.items()))


def borders(pieces: list[tuple[str, ...]]) -> tuple[tuple[str, float], ...]:
    """Bigrams of words where pieces meet."""
    some = [piece for piece in pieces if piece]
    return add(*(((f"tgt_border:{a[-1]}_{b[0]}", 1.0),) for a, b in itertools.pairwise(some)))


def pieces_of(rule: PlainRule, children: Sequence[PlainDerivation]) -> list[tuple[str, ...]]:
    """Runs of words of the rule, and the words of its nonterminals."""
    pieces: list[tuple[str, ...]] = []
    for is_word, symbols in itertools.groupby(rule.target, lambda symbol: isinstance(symbol, str)):
        run = list(symbols)
        pieces += [tuple(map(str, run))] if is_word else [children[int(symbol) - 1].words for symbol in run]
    return pieces


def derivations(
    sentence: list[str], rules: list[PlainRule], max_span: int = 15, with_borders: bool = False
) -> Iterator[PlainDerivation]:
    """Derivations of the sentence: X by rules or by copying a word, S by glue from the left."""
    if with_borders:
        for inner in derivations(sentence, rules, max_span):
            marked = borders([("<s>",), inner.words, ("</s>",)])
            yield PlainDerivation(inner.words, add(inner.features, inner.borders, marked))
        return
    copying = [PlainRule((word,), (word,), {"PassThrough": 1.0}) for word in dict.fromkeys(sentence)]

    def phrase(begin: int, end: int) -> list[PlainDerivation]:
        if end - begin > max_span:
            return []
        return [d for rule in rules + copying for d in apply(rule, begin, end)]

    def apply(rule: PlainRule, begin: int, end: int) -> Iterator[PlainDerivation]:
        for spans in match(rule.source, begin, end):
            for children in itertools.product(*(phrase(*span) for span in spans)):
                words = tuple(
                    w for s in rule.target for w in ((s,) if isinstance(s, str) else children[s - 1].words)
                )
                count = sum(isinstance(s, str) for s in rule.target)
                own = {**rule.features, "WordPenalty": -count / math.log(10)}
                yield PlainDerivation(
                    words,
                    add(tuple(own.items()), *(child.features for child in children)),
                    add(borders(pieces_of(rule, children)), *(child.borders for child in children)),
                )

    def match(symbols: tuple[str | int, ...], begin: int, end: int) -> Iterator[list[tuple[int, int]]]:
        if not symbols:
            if begin == end:
                yield []
            return
        if isinstance(symbols[0], str):
            if begin < end and sentence[begin] == symbols[0]:
                yield from match(symbols[1:], begin + 1, end)
            return
        for middle in range(begin + 1, end + 1):
            for rest in match(symbols[1:], middle, end):
                yield [(begin, middle), *rest]

    def glued(end: int) -> Iterator[PlainDerivation]:
        yield from phrase(0, end)
        for middle in range(1, end):
            for left, right in itertools.product(glued(middle), phrase(middle, end)):
                yield PlainDerivation(
                    left.words + right.words,
                    add(left.features, right.features, (("Glue", 1.0),)),
                    add(left.borders, right.borders, borders([left.words, right.words])),
                )

    yield from glued(len(sentence))


def score(derivation: PlainDerivation, weights: dict[str, float], lm: LanguageModel) -> float:
    """Weights . features, the language model asked about the whole string."""
    values = dict(derivation.features)
    values["LanguageModel"] = lm.score(" ".join(derivation.words))
    values["LanguageModel_OOV"] = float(sum(word not in lm for word in derivation.words))
    return sum(weights.get(name, 0.0) * value for name, value in values.items())
