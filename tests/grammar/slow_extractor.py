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
    words, target_words, links = pair
    aligned = {i for i, _ in links}

    def image(span: Span) -> Span | None:
        return hull([j for i, j in links if span[0] <= i < span[1]])

    def back(span: Span) -> Span:
        reflected = hull([i for i, j in links if span[0] <= j < span[1]])
        assert reflected
        return reflected

    def is_phrase(span: Span) -> bool:
        target = image(span)
        if target is None or span[0] not in aligned or span[1] - 1 not in aligned:
            return False
        inside = back(target)
        return target[1] - target[0] <= MAX_SPAN and span[0] <= inside[0] and inside[1] <= span[1]

    def closure(span: Span) -> Span | None:
        """The smallest consistent span around this one."""
        while True:
            target = image(span)
            assert target
            reflected = back(target)
            grown = (min(span[0], reflected[0]), max(span[1], reflected[1]))
            if grown == span:
                return span if span[1] - span[0] <= MAX_SPAN and target[1] - target[0] <= MAX_SPAN else None
            span = grown

    chunks = [(start, start + len(chunk)) for start, chunk in zip(starts, pattern, strict=True)]
    terminals = [i for begin, end in chunks for i in range(begin, end)]
    if not aligned & set(terminals):
        return
    gaps = [(a[1], b[0]) for a, b in pairwise(chunks)]
    if not all(is_phrase(gap) for gap in gaps):
        return
    base = (chunks[0][0], chunks[-1][1])
    target = image(base)
    assert target
    if target[1] - target[0] > MAX_SPAN:
        return
    reflected = back(target)
    whole = (min(base[0], reflected[0]), max(base[1], reflected[1]))
    left = [(whole[0], base[0])] if whole[0] < base[0] else []
    right = [(base[1], whole[1])] if whole[1] > base[1] else []
    symbols = len(terminals) + len(gaps)
    if left or right:
        new = len(left) + len(right)
        if (
            len(gaps) + new > MAX_NONTERMINALS
            or symbols + new > MAX_SYMBOLS
            or whole[1] - whole[0] > MAX_SPAN
        ):
            return
        if image(whole) != target or not all(is_phrase(gap) for gap in left + right):
            return

    def rule(left: list[Span], right: list[Span], whole: Span) -> tuple:
        nonterminals = left + gaps + right
        source_symbols: list[str] = []
        place: dict[int, int] = {}  # position -> symbol
        i = whole[0]
        while i < whole[1]:
            gap = next((n for n, gap in enumerate(nonterminals) if gap[0] == i), None)
            if gap is None:
                place[i] = len(source_symbols)
                source_symbols.append(words[i])
            else:
                source_symbols.append(f"[X,{gap + 1}]")
            i = i + 1 if gap is None else nonterminals[gap][1]
        target_symbols: list[str] = []
        target_place: dict[int, int] = {}
        images = [image(gap) for gap in nonterminals]
        span = image(whole)
        assert span
        j = span[0]
        while j < span[1]:
            gap = next((n for n, gap in enumerate(images) if gap and gap[0] == j), None)
            if gap is None:
                target_place[j] = len(target_symbols)
                target_symbols.append(target_words[j])
                j += 1
            else:
                target_symbols.append(f"[X,{gap + 1}]")
                j = images[gap][1]  # type: ignore[index]
        alignment = sorted((place[i], target_place[j]) for i, j in links if i in place)
        return tuple(source_symbols), tuple(target_symbols), tuple(alignment)

    if whole[0] in aligned and whole[1] - 1 in aligned:
        yield rule(left, right, whole)
    for add_left, add_right in ((0, 1), (1, 0), (1, 1)):
        new = add_left + add_right
        start = (whole[0] - add_left, whole[1] + add_right)
        if (add_left and left) or (add_right and right) or start[0] < 0 or start[1] > len(words):
            continue
        if len(gaps) + len(left) + len(right) + new > MAX_NONTERMINALS:
            continue
        if symbols + len(left) + len(right) + new > MAX_SYMBOLS:
            continue
        if start[0] not in aligned or start[1] - 1 not in aligned:
            continue
        grown = closure(start)
        if grown is None or (not add_left and grown[0] < start[0]) or (not add_right and grown[1] > start[1]):
            continue
        new_left = [(grown[0], whole[0])] if add_left else left
        new_right = [(whole[1], grown[1])] if add_right else right
        if all(is_phrase(gap) for gap in new_left + new_right):
            yield rule(new_left, new_right, grown)


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
