"""What a single weight does to BLEU: figure 2 of Flanigan, Dyer and Carbonell (2013).

Dense weights are normalised and fixed, all rule weights are 0 but one. Rules that are in nearly every list move BLEU by points, rules
that occur once by hundredths: the reason for conditioning (section 5.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.base.parallel import default_threads
from demotic.base.progress import Progress
from demotic.corpus.splits import random_order
from demotic.decode import Decoder, TranslationModel
from demotic.evaluate import BLEU, References, bleu_score
from demotic.features import TemplateSet, Weights
from demotic.learn import Example
from demotic.learn.batch.line_search import normalized
from demotic.learn.fitting.feature_split import FeatureSplit
from demotic.report.figures import MARKERS, SERIES, plain
from demotic.report.readable import readable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SPLIT = FeatureSplit()


@dataclass(frozen=True)
class EffectOptions:
    """Which rules, and where their weights go; defaults: the paper's."""

    rules: int = 4  # of each kind
    most_frequent: int = 20  # frequent ones are drawn from so many
    frequent_range: float = 2.0
    rare_range: float = 10.0
    points: int = 21  # of each curve
    k: int = 100  # of the lists in which rules are counted


@dataclass(frozen=True)
class WeightEffect:
    """BLEU as a function of one weight."""

    feature: str
    lists: int  # that have it
    weights: list[float]
    bleu: list[float]

    @property
    def spread(self) -> float:
        """Between the best and the worst weight."""
        return max(self.bleu) - min(self.bleu)


def weight_effects(
    model: TranslationModel,
    examples: Sequence[Example],
    options: EffectOptions | None = None,
    *,
    seed: int = 1,
    threads: int = 0,
) -> tuple[list[WeightEffect], list[WeightEffect]]:
    """Effects of frequent rules and of rules that occur once, each tried by decoding again.

    Args:
        model: with tuned dense weights.
        examples: sentences that BLEU is measured on.
        options: which rules.
        seed: of their choice.
        threads: 0: all cores.
    """
    options = options or EffectOptions()
    trial = _Trial(model, examples, threads or default_threads())
    counts = trial.count_rules(options.k)
    ranked = sorted(counts, key=lambda name: (-counts[name], name))
    once = sorted(name for name in counts if counts[name] == 1)
    if len(ranked) < options.rules or len(once) < options.rules:
        raise DemoticError(
            f"too few rules in the lists: {len(ranked)}, {len(once)} of them once; {options.rules} of each are needed",
            hint="use more sentences",
        )
    frequent = _draw(ranked[: options.most_frequent], options.rules, seed)
    rare = _draw(once, options.rules, seed)

    def effects(names: Sequence[str], reach: float) -> list[WeightEffect]:
        weights = np.linspace(-reach, reach, options.points).tolist()
        return [WeightEffect(name, counts[name], weights, trial.bleu(name, weights)) for name in names]

    return effects(frequent, options.frequent_range), effects(rare, options.rare_range)


def draw_effects(frequent: Sequence[WeightEffect], rare: Sequence[WeightEffect]) -> Figure:
    """Two panels, (a) frequent and (b) rare rules; mind that their y axes differ."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.4, 3.9), layout="constrained")
    titles = ("(a) frequent rules", "(b) rules that occur once")
    for axes, title, effects in zip(figure.subplots(1, 2), titles, (frequent, rare), strict=True):
        axes.spines[["top", "right"]].set_visible(False)
        for i, effect in enumerate(effects):
            style = {"color": SERIES[i % len(SERIES)], "marker": MARKERS[i % len(MARKERS)], "markersize": 3}
            axes.plot(effect.weights, effect.bleu, label=plain(readable(effect.feature), 40), **style)
        axes.set_title(title)
        axes.set_xlabel("weight")
        axes.set_ylabel("BLEU")
        axes.ticklabel_format(axis="y", useOffset=False)
        axes.legend(
            frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(0, -0.2)
        )  # below: never on a curve
    return figure


class _Trial:
    """The sentences, decoded with dense weights; only those are decoded again whose grammar has the rule in question."""

    def __init__(self, model: TranslationModel, examples: Sequence[Example], threads: int) -> None:
        self._dense = _normalized_dense(model.weights)
        self._model, self._threads = model, threads
        self._templates = TemplateSet(["id"])
        self._examples = list(examples)
        self._references = [References(example.reference_words()) for example in examples]
        sources = range(len(self._examples))
        self._statistics = np.stack(self._decode(Weights.from_dict(self._dense), sources))

    def count_rules(self, k: int) -> Counter[str]:
        """In how many k-best lists each rule occurs."""
        weights = Weights.from_dict(self._dense)
        counts: Counter[str] = Counter()
        sources = (example.source for example in self._examples)
        for kbest in self._decoder(weights).kbest(sources, k, threads=self._threads):
            names = (weights.index.name(id_) for id_ in np.unique(kbest.features).tolist())
            counts.update(name for name in names if not _SPLIT.is_dense(name))
        return counts

    def bleu(self, feature: str, values: Sequence[float]) -> list[float]:
        """Corpus BLEU for each value of this feature's weight."""
        concerned = [i for i, example in enumerate(self._examples) if self._has(example, feature)]
        result = []
        with Progress(plain(feature), total=len(values), unit="weights") as bar:
            for value in values:
                statistics = self._statistics.copy()
                weights = Weights.from_dict({**self._dense, feature: value})
                if concerned:
                    statistics[concerned] = self._decode(weights, concerned)
                result.append(bleu_score(statistics.sum(axis=0)).score)
                bar.advance()
        return result

    def _has(self, example: Example, feature: str) -> bool:
        grammar = self._model.index.grammar(example.source)
        index = Weights.from_dict({feature: 1.0}).index
        found = self._templates.rule_features(grammar, index)
        return bool(np.any(found.features == index.find(feature)))

    def _decoder(self, weights: Weights) -> Decoder:
        model = self._model
        return Decoder(model.lms, weights, model.index, self._templates, model.options.decode)

    def _decode(self, weights: Weights, which: Iterable[int]) -> list[npt.NDArray[np.int32]]:
        """Statistics of the best translation of some of the sentences."""
        decoder = self._decoder(weights)
        numbers = list(which)
        sources = (self._examples[i].source for i in numbers)
        lists = decoder.kbest(sources, 1, unique=False, threads=self._threads)
        outputs = [kbest.sentence(0) for kbest in lists]
        return list(BLEU.corpus_statistics(outputs, [self._references[i] for i in numbers]))


def _normalized_dense(weights: Weights) -> dict[str, float]:
    """Dense weights whose magnitudes add up to 1."""
    named = {name: value for name, value in weights.items() if _SPLIT.is_dense(name)}
    if not named:
        raise DemoticError(
            "all dense weights are 0", hint="tune the model first: demotic tune --learner mert"
        )
    values = normalized(np.array(list(named.values())))
    return dict(zip(named, values.tolist(), strict=True))


def _draw(names: Sequence[str], count: int, seed: int) -> list[str]:
    return [names[i] for i in random_order(len(names), seed)[:count]]
