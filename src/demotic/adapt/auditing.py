"""Training pairs that the rest of the corpus cannot explain: wrong translations, misaligned lines, other languages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic.adapt.training_lines import line_of, training_lines
from demotic.base.checks import at_least, positive
from demotic.base.files import Pathish, atomic_write
from demotic.decode import ModelFolder
from demotic.grammar import GrammarIndex

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class AuditOptions:
    """What makes a pair suspicious."""

    length_weight: float = (
        0.1  # added to the score for each deviation of the length ratio beyond `length_from`
    )
    length_from: float = 2.0  # deviations of the log length ratio that are usual
    copied_weight: float = 1.0  # added if all target words stand in the source; in proportion if fewer do
    copied_from: float = 0.5  # share of target words in the source that is usual

    def __post_init__(self) -> None:
        """Check the ranges."""
        at_least(
            0,
            length_weight=self.length_weight,
            copied_weight=self.copied_weight,
            copied_from=self.copied_from,
        )
        positive(length_from=self.length_from)


@dataclass(frozen=True)
class SuspiciousPair:
    """A training pair, and why it is suspicious. `pair` is its number in the index, from 0."""

    pair: int
    line: int  # of the training text, from 1; see `line_of`
    score: float  # higher: more suspicious
    reasons: tuple[str, ...]
    source: str
    target: str


@dataclass(frozen=True)
class PairFigures:
    """What is known of every pair, one value per pair; pairs without words are not judged."""

    judged: npt.NDArray[np.bool_]
    # How much likelier words are with the other side than by their frequency alone: mean log10 over both directions, without the
    # pair itself.
    lexical: Array
    length: Array  # deviations of the log length ratio from its mean
    copied: Array  # share of target words that stand in the source
    scores: Array


def audit(
    model: ModelFolder, options: AuditOptions | None = None, top: int | None = None, threads: int = 0
) -> list[SuspiciousPair]:
    """The most suspicious training pairs of a model, the worst first.

    Every pair is judged by the word translations of all other pairs, by its length and by what it copies.

    Args:
        model: whose index is gone over.
        options: what counts how much.
        top: how many; None: one in a hundred, at least ten.
        threads: 0: all cores.
    """
    index = model.index
    figures = pair_figures(index, options or AuditOptions(), threads)
    count = max(10, len(index) // 100) if top is None else top
    at_least(1, top=count)
    order = np.lexsort((np.arange(len(index)), -figures.scores))  # equal scores in the order of the corpus
    usual = float(np.median(figures.lexical[figures.judged])) if figures.judged.any() else 0.0
    lines = training_lines(model)
    return [
        SuspiciousPair(
            int(pair),
            line_of(int(pair), lines),
            float(figures.scores[pair]),
            _reasons(figures, int(pair), usual),
            " ".join(index.source(int(pair))),
            " ".join(index.target(int(pair))),
        )
        for pair in order[:count]
        if figures.judged[pair]
    ]


def pair_figures(index: GrammarIndex, options: AuditOptions, threads: int = 0) -> PairFigures:
    """Judge every pair of an index."""
    sizes, copied, chance = np.zeros((len(index), 2)), np.zeros(len(index)), np.zeros((len(index), 2))
    counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for i in range(len(index)):
        source, target = index.source(i), index.target(i)
        sizes[i] = len(source), len(target)
        copied[i] = _copied(source, target)
        counts[0].update(source)
        counts[1].update(target)
    totals = counts[0].total(), counts[1].total()
    for i in range(len(index)):
        chance[i] = (
            _chance(index.target(i), counts[1], totals[1]),
            _chance(index.source(i), counts[0], totals[0]),
        )
    judged = np.asarray(sizes.min(axis=1, initial=1.0) > 0)
    lexical = (index.pair_scores(threads).astype(np.float64) - chance).mean(axis=1)
    length = _deviations(sizes, judged)
    scores = -lexical
    scores += options.length_weight * np.maximum(0.0, np.abs(length) - options.length_from)
    scores += (
        options.copied_weight
        * np.maximum(0.0, copied - options.copied_from)
        / max(1e-9, 1 - options.copied_from)
    )
    return PairFigures(judged, lexical, length, copied, np.where(judged, scores, -np.inf))


def _chance(words: Sequence[str], counts: Counter[str], total: int) -> float:
    """Mean log10 of the relative frequency of words in the rest of the corpus, as far as it has them; 0 if it has none."""
    own = Counter(words)
    logs = [math.log10((counts[word] - own[word]) / total) for word in words if counts[word] > own[word]]
    return sum(logs) / len(logs) if logs else 0.0


def _deviations(sizes: Array, judged: npt.NDArray[np.bool_]) -> Array:
    """Log length ratios in deviations from their mean. The deviation is scaled with length: long sentences vary less."""
    result = np.zeros(len(sizes))
    if not judged.any():
        return result
    ratios = np.log(sizes[judged, 1] / sizes[judged, 0])
    scaled = (ratios - np.median(ratios)) * np.sqrt(sizes[judged].mean(axis=1))
    spread = 1.4826 * float(np.median(np.abs(scaled)))  # as the standard deviation, but outliers do not count
    result[judged] = scaled / max(spread, 1e-6)
    return result


def _copied(source: Sequence[str], target: Sequence[str]) -> float:
    """Share of target words with letters that stand in the source; 0 for pairs with fewer than three."""
    words = [word for word in target if any(map(str.isalpha, word))]
    have = set(source)
    return sum(word in have for word in words) / len(words) if len(words) >= 3 else 0.0


def _reasons(figures: PairFigures, pair: int, usual: float) -> tuple[str, ...]:
    reasons = []
    if figures.copied[pair] > 0.5:
        reasons.append(f"{figures.copied[pair]:.0%} of the target words are copied from the source")
    if abs(figures.length[pair]) > 3:
        reasons.append("the target is unusually " + ("long" if figures.length[pair] > 0 else "short"))
    worse = usual - figures.lexical[pair]
    if worse > 1 or not reasons:
        found, expected = 10 ** figures.lexical[pair], 10**usual
        reasons.append(
            f"its words do not translate each other: {found:.2g} times as likely as by chance, usually {expected:.2g}"
        )
    return tuple(reasons)


def write_audit(pairs: Sequence[SuspiciousPair], path: Pathish) -> None:
    """A TSV file: line, score, reasons, source, target."""
    with atomic_write(path) as file:
        file.write("line\tscore\treasons\tsource\ttarget\n")
        for each in pairs:
            file.write(
                f"{each.line}\t{each.score:.4f}\t{'; '.join(each.reasons)}\t{each.source}\t{each.target}\n"
            )
