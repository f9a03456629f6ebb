"""Rule extraction as the definitions say it, without index, masks, bit tricks or sampling: the oracle of the tests."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

Span = tuple[int, int]
Pair = tuple[list[str], list[str], set[tuple[int, int]]]  # source, target, links
MAX_SPAN, MAX_SYMBOLS, MAX_NONTERMINALS = 15, 5, 2


@dataclass
class SlowRule:
    features: list[float]  # the seven of cdec12
    alignment: tuple[tuple[int, int], ...]


def slow_grammar(pairs: Sequence[Pair], sentence: list[str]) -> dict[tuple[str, str], SlowRule]:
    """All rules for a sentence, by (source, target)."""
    lexicon = Lexicon(pairs)
    grammar = {}
    for pattern in patterns(sentence):
        samples = 0
        found: dict[tuple[str, ...], dict[tuple[str, ...], Counter]] = defaultdict(
            lambda: defaultdict(Counter)
        )
        for pair in pairs:
            for starts in occurrences(pair[0], pattern):
                samples += 1
                for source, target, alignment in rules_at(pair, pattern, starts):
                    found[source][target][alignment] += 1
        for source, targets in found.items():
            count_f = sum(sum(alignments.values()) for alignments in targets.values())
            for target, alignments in targets.items():
                count = sum(alignments.values())
                best = min(alignments, key=lambda a: (-alignments[a], a))
                features = [
                    -math.log10(count / samples),
                    math.log10(1 + samples),
                    math.log10(1 + count),
                    *lexicon.weights(source, target),
                    float(count_f == 1),
                    float(count == 1),
                ]
                grammar[" ".join(source), " ".join(target)] = SlowRule(features, best)
    return grammar


def patterns(sentence: list[str]) -> set[tuple[tuple[str, ...], ...]]:
    """Up to three chunks of words with at least one word between them; last - first <= MAX_SPAN in the input."""
    result = set()

    def extend(chunks: tuple[tuple[str, ...], ...], first: int, begin: int, symbols: int) -> None:
        for end in range(begin + 1, min(len(sentence), first + MAX_SPAN + 1) + 1):
            if symbols + end - begin > MAX_SYMBOLS:
                break
            longer = (*chunks, tuple(sentence[begin:end]))
            result.add(longer)
            if len(longer) <= MAX_NONTERMINALS:
                for following in range(end + 1, len(sentence)):
                    extend(longer, first, following, symbols + end - begin + 1)

    for start in range(len(sentence)):
        extend((), start, start, 0)
    return result


def occurrences(words: list[str], pattern: tuple[tuple[str, ...], ...]) -> Iterator[tuple[int, ...]]:
    """Where the chunks begin."""
    places = [
        [i for i in range(len(words)) if tuple(words[i : i + len(chunk)]) == chunk] for chunk in pattern
    ]
    for starts in product(*places):
        ends = [start + len(chunk) for start, chunk in zip(starts, pattern, strict=True)]
        gaps = all(end < start for end, start in zip(ends, starts[1:], strict=False))
        if gaps and ends[-1] - starts[0] <= MAX_SPAN:
            yield starts


def hull(positions: list[int]) -> Span | None:
    return (min(positions), max(positions) + 1) if positions else None


def rules_at(pair: Pair, pattern: tuple[tuple[str, ...], ...], starts: tuple[int, ...]) -> Iterator[tuple]:
    """(source, target, alignment) of every rule that one occurrence gives."""
    links = Links(pair)
    chunks = [(start, start + len(chunk)) for start, chunk in zip(starts, pattern, strict=True)]
    minimal = minimal_rule(links, chunks)
    if minimal is None:
        return
    if links.has_aligned_ends(minimal.whole):
        yield rule_of(links, minimal)
    for add_left, add_right in ((0, 1), (1, 0), (1, 1)):
        longer = with_nonterminals_outside(links, minimal, add_left, add_right)
        if longer is not None:
            yield rule_of(links, longer)


class Links:
    """The links of a sentence pair, asked in both directions."""

    def __init__(self, pair: Pair) -> None:
        self.words, self.target_words, self.links = pair
        self.aligned = {i for i, _ in self.links}

    def image(self, span: Span) -> Span | None:
        return hull([j for i, j in self.links if span[0] <= i < span[1]])

    def back(self, span: Span) -> Span:
        reflected = hull([i for i, j in self.links if span[0] <= j < span[1]])
        assert reflected
        return reflected

    def has_aligned_ends(self, span: Span) -> bool:
        return span[0] in self.aligned and span[1] - 1 in self.aligned

    def is_phrase(self, span: Span) -> bool:
        target = self.image(span)
        if target is None or not self.has_aligned_ends(span):
            return False
        inside = self.back(target)
        return target[1] - target[0] <= MAX_SPAN and span[0] <= inside[0] and inside[1] <= span[1]

    def closure(self, span: Span) -> Span | None:
        """The smallest consistent span around this one."""
        while True:
            target = self.image(span)
            assert target
            reflected = self.back(target)
            grown = (min(span[0], reflected[0]), max(span[1], reflected[1]))
            if grown == span:
                return span if span[1] - span[0] <= MAX_SPAN and target[1] - target[0] <= MAX_SPAN else None
            span = grown


@dataclass
class Nonterminals:
    """A rule's span, and the gaps in it: those between the words of the pattern, and those outside of them."""

    whole: Span
    left: list[Span]
    gaps: list[Span]
    right: list[Span]
    terminals: int

    def has_room_for(self, new: int) -> bool:
        nonterminals = len(self.left) + len(self.gaps) + len(self.right) + new
        return nonterminals <= MAX_NONTERMINALS and self.terminals + nonterminals <= MAX_SYMBOLS


def minimal_rule(links: Links, chunks: list[Span]) -> Nonterminals | None:
    """The smallest rule with these words: where their links lead outside of them, a nonterminal stands there."""
    terminals = [i for begin, end in chunks for i in range(begin, end)]
    gaps = [(a[1], b[0]) for a, b in pairwise(chunks)]
    if not links.aligned & set(terminals) or not all(map(links.is_phrase, gaps)):
        return None
    base = (chunks[0][0], chunks[-1][1])
    target = links.image(base)
    assert target
    if target[1] - target[0] > MAX_SPAN:
        return None
    reflected = links.back(target)
    whole = (min(base[0], reflected[0]), max(base[1], reflected[1]))
    left = [(whole[0], base[0])] if whole[0] < base[0] else []
    right = [(base[1], whole[1])] if whole[1] > base[1] else []
    rule = Nonterminals(whole, left, gaps, right, len(terminals))
    if left or right:
        if not rule.has_room_for(0) or whole[1] - whole[0] > MAX_SPAN:
            return None
        if links.image(whole) != target or not all(map(links.is_phrase, left + right)):
            return None
    return rule


def with_nonterminals_outside(
    links: Links, rule: Nonterminals, add_left: int, add_right: int
) -> Nonterminals | None:
    """The rule with the smallest phrases to its left or right as further nonterminals."""
    start = (rule.whole[0] - add_left, rule.whole[1] + add_right)
    if (add_left and rule.left) or (add_right and rule.right) or start[0] < 0 or start[1] > len(links.words):
        return None
    if not rule.has_room_for(add_left + add_right) or not links.has_aligned_ends(start):
        return None
    grown = links.closure(start)
    if grown is None or (not add_left and grown[0] < start[0]) or (not add_right and grown[1] > start[1]):
        return None
    left = [(grown[0], rule.whole[0])] if add_left else rule.left
    right = [(rule.whole[1], grown[1])] if add_right else rule.right
    if not all(map(links.is_phrase, left + right)):
        return None
    return Nonterminals(grown, left, rule.gaps, right, rule.terminals)


def rule_of(links: Links, rule: Nonterminals) -> tuple:
    """(source, target, alignment)."""
    nonterminals = rule.left + rule.gaps + rule.right
    images = [image for image in map(links.image, nonterminals) if image]
    target = links.image(rule.whole)
    assert target and len(images) == len(nonterminals)
    source_symbols, place = symbols(links.words, rule.whole, nonterminals)
    target_symbols, target_place = symbols(links.target_words, target, images)
    alignment = sorted((place[i], target_place[j]) for i, j in links.links if i in place)
    return source_symbols, target_symbols, tuple(alignment)


def symbols(words: list[str], span: Span, nonterminals: list[Span]) -> tuple[tuple[str, ...], dict[int, int]]:
    """One side of a rule, and at which of its symbols each word stands."""
    found: list[str] = []
    place: dict[int, int] = {}
    i = span[0]
    while i < span[1]:
        gap = next((n for n, gap in enumerate(nonterminals) if gap[0] == i), None)
        if gap is None:
            place[i] = len(found)
            found.append(words[i])
        else:
            found.append(f"[X,{gap + 1}]")
        i = i + 1 if gap is None else nonterminals[gap][1]
    return tuple(found), place


class Lexicon:
    """c(f, e) with NULL as None."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.joint: Counter = Counter()
        for source, target, links in pairs:
            self.joint.update((source[i], target[j]) for i, j in links)
            self.joint.update((w, None) for i, w in enumerate(source) if i not in {i for i, _ in links})
            self.joint.update((None, w) for j, w in enumerate(target) if j not in {j for _, j in links})
        self.source: Counter = Counter()
        self.target: Counter = Counter()
        for (f, e), count in self.joint.items():
            self.source[f] += count
            self.target[e] += count

    def weights(self, source: tuple[str, ...], target: tuple[str, ...]) -> tuple[float, float]:
        """Costs of p(f|e) and p(e|f)."""
        fs = [word for word in source if not word.startswith("[X")]
        es = [word for word in target if not word.startswith("[X")]

        def cost(best: float) -> float:
            return -math.log10(best) if best > 0 else 99.0

        fe = sum(cost(max(self.joint[f, e] / (self.target[e] or 1) for e in [*es, None])) for f in fs)
        ef = sum(cost(max(self.joint[f, e] / (self.source[f] or 1) for f in [*fs, None])) for e in es)
        return fe, ef
