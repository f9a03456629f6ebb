"""What tuning maximises: a metric of a corpus whose statistics add up over sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.decode import KBest
from demotic.evaluate.references import References

Counts = npt.NDArray[np.int32]


class Metric(ABC):
    """Whole numbers for each hypothesis, and a score of their sums over a corpus.

    A metric to tune on says its `name` and its `native` part, which counts hypotheses and scores sums; learners and line searches know nothing
    else of it. Objects are values: they are compared by what they are, and sent to workers.

    Attributes:
        name: of its figure in rows of a run.
        title: of the same in tables.
    """

    name: str
    title: str

    @property
    @abstractmethod
    def native(self) -> _core.Metric:
        """The kernel."""

    @property
    def columns(self) -> int:
        """Numbers in a row of statistics."""
        return self.native.columns

    def statistics(self, references: References, kbest: KBest) -> Counts:
        """Of every hypothesis, shape (k, columns)."""
        return self.native.statistics(references.native, kbest.native)

    def statistics_of(self, references: References, words: Sequence[str]) -> Counts:
        """Of one sentence, shape (columns,)."""
        return self.native.statistics_of(references.native, list(words))

    def corpus_statistics(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[References]
    ) -> Counts:
        """Of the translations of a corpus, shape (sentences, columns).

        Args:
            hypotheses: one list of tokens per sentence.
            references: one set of references per sentence.
        """
        if len(hypotheses) != len(references):
            raise DemoticError(
                f"expected one hypothesis per reference, {len(references)} (got {len(hypotheses)})"
            )
        rows = [self.statistics_of(each, words) for words, each in zip(hypotheses, references, strict=True)]
        return np.array(rows, dtype=np.int32).reshape(len(rows), self.columns)

    def score(self, sums: npt.ArrayLike) -> float:
        """Of statistics added up over a corpus, in percent; higher is better."""
        return 100 * self.native.score(np.ascontiguousarray(sums, dtype=np.int64))

    def figures(self, sums: npt.ArrayLike) -> dict[str, float]:
        """What tables show of a corpus, by name, as people write it: TER is lower for a better translation."""
        return {self.name: self.score(sums)}

    def columns_of(self, metric: Metric) -> slice:
        """Where the statistics of a metric stand among these."""
        if metric != self:
            raise DemoticError(f"statistics of {self.name} say nothing of {metric.name}")
        return slice(0, self.columns)


@dataclass(frozen=True)
class MetricSum(Metric):
    """A weighted sum of the scores of metrics, whose columns stand one behind the other.

    A metric of weight 0 is counted and reported, but has no influence.

    Attributes:
        parts: weights and metrics.
    """

    parts: tuple[tuple[float, Metric], ...]

    @property
    def name(self) -> str:  # type: ignore[override]
        """With the weights: `0.75 bleu + 0.25 ter`."""
        return " + ".join(f"{weight} {metric.name}" for weight, metric in self.parts)

    title = "objective"

    @property
    def native(self) -> _core.Metric:
        """The sum of the kernels."""
        return _core.MetricSum([(weight, metric.native) for weight, metric in self.parts])

    def score(self, sums: npt.ArrayLike) -> float:
        """The weighted sum, in percent."""
        return sum(
            weight * metric.score(np.asarray(sums)[columns])
            for (weight, metric), columns in zip(self.parts, self._slices(), strict=True)
        )

    def figures(self, sums: npt.ArrayLike) -> dict[str, float]:
        """Those of all parts, and their weighted sum: `objective`."""
        found: dict[str, float] = {}
        for (_, metric), columns in zip(self.parts, self._slices(), strict=True):
            found |= metric.figures(np.asarray(sums)[columns])
        return found | {"objective": self.score(sums)}

    def columns_of(self, metric: Metric) -> slice:
        """Where the statistics of one of the parts stand."""
        for (_, part), columns in zip(self.parts, self._slices(), strict=True):
            if part == metric:
                return columns
        return super().columns_of(metric)

    def _slices(self) -> list[slice]:
        ends = np.cumsum([metric.columns for _, metric in self.parts]).tolist()
        return [slice(begin, end) for begin, end in zip([0, *ends], ends, strict=False)]
