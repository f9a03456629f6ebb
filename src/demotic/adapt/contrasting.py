"""Why two models translate a sentence differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from demotic.adapt.evidence import FeatureDifference, differences
from demotic.base.checks import at_least
from demotic.decode import KBest, SpanConstraint, TranslationModel


@dataclass(frozen=True)
class View:
    """What one model thinks of the two translations."""

    translation: str  # its own
    score: float
    rank_of_other: int | None  # of the other model's translation in its list, from 1; None: not there
    score_of_other: float | None
    differences: tuple[
        FeatureDifference, ...
    ]  # its own translation against the other's, the weightiest first


@dataclass(frozen=True)
class FeatureContrast:
    """What a feature gives to the first model's translation against the second's, in either model.

    In shares: the absolute values of all features add up to 1 in each model, because the scale of weights is arbitrary.
    """

    name: str
    first: float
    second: float

    @property
    def change(self) -> float:
        """From the second model to the first: positive features made the first model choose as it did."""
        return self.first - self.second


@dataclass(frozen=True)
class Contrast:
    """Two models on one sentence. `features`: the ones that made them differ first; empty if one cannot judge the other's translation."""

    first: View
    second: View
    features: tuple[FeatureContrast, ...]

    @property
    def agree(self) -> bool:
        """Whether both models give the same translation."""
        return self.first.translation == self.second.translation

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {**asdict(self), "agree": self.agree}


def contrast(
    first: TranslationModel,
    second: TranslationModel,
    line: str,
    constraints: Sequence[SpanConstraint] = (),
    k: int = 1000,
) -> Contrast:
    """Translate a line with two models, and let each judge the other's translation.

    Args:
        first: a model.
        second: another one, which may differ in anything.
        line: raw text.
        constraints: on spans of its characters.
        k: length of the lists in which each model looks for the other's translation.
    """
    at_least(1, k=k)
    lists = [model.decode_text(line, constraints).kbest(k, unique=True) for model in (first, second)]
    texts = [
        model.restore(kbest.sentence(0), source=line)
        for model, kbest in zip((first, second), lists, strict=True)
    ]
    views = (_view(first, lists[0], line, texts[1]), _view(second, lists[1], line, texts[0]))
    return Contrast(*views, _features(*views))


def _view(model: TranslationModel, kbest: KBest, line: str, other: str) -> View:
    texts = (model.restore(kbest.sentence(i), source=line) for i in range(len(kbest)))
    own = model.restore(kbest.sentence(0), source=line)
    rank = next((i for i, text in enumerate(texts) if text == other), None)
    found = differences(kbest, 0, rank, model.weights) if rank is not None else ()
    return View(
        own,
        float(kbest.scores[0]),
        None if rank is None else rank + 1,
        None if rank is None else float(kbest.scores[rank]),
        found,
    )


def _features(first: View, second: View) -> tuple[FeatureContrast, ...]:
    if first.rank_of_other is None or second.rank_of_other is None:
        return ()
    in_first = _shares(first)
    in_second = {name: -share for name, share in _shares(second).items()}  # for the first's translation, too
    found = [
        FeatureContrast(name, in_first.get(name, 0.0), in_second.get(name, 0.0))
        for name in sorted({*in_first, *in_second})
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.change), each.name)))


def _shares(view: View) -> dict[str, float]:
    total = sum(abs(each.advantage) for each in view.differences)
    return {each.name: each.advantage / total for each in view.differences}
