"""k-best batch MIRA: hope and fear chosen from accumulated lists (Cherry and Foster 2012).

Online MIRA decodes after every update. Here the lists of all iterations stand in for the decoder, so that a pass costs next to
nothing and many are made between two decodings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import at_least, between, positive
from demotic.corpus.splits import random_order
from demotic.evaluate.bleu import BLEU_COLUMNS, REFERENCE_LENGTH
from demotic.features import Weights
from demotic.learn.batch.batch_options import BatchOptions, Optimizer, Optimum
from demotic.learn.batch.pool import KBestPool

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BatchMiraOptions(BatchOptions):
    """Batch MIRA; defaults: Cherry and Foster (2012), section 3."""

    c: float = 0.01  # C: maximum step size
    decay: float = 0.999  # gamma: decay of the background statistics per sentence
    passes: int = 60  # J: passes over the lists in each iteration

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(c=self.c)
        between(0, 1, decay=self.decay)
        at_least(1, passes=self.passes)

    def optimizer(self) -> Optimizer:
        """Passes over the pool."""
        return BatchMira(self)


class BatchMira:
    """Makes passes over the lists; the result is the average with the highest BLEU on them of those after each pass."""

    def __init__(self, options: BatchMiraOptions) -> None:
        self._options = options

    def optimize(self, pool: KBestPool, weights: Weights, seed: int, iteration: int) -> Optimum:
        """The best average of the weights during the passes."""
        lists = [
            _List(pool, begin, end) for begin, end in zip(pool.begins[:-1], pool.begins[1:], strict=True)
        ]
        average = Average(pool.vector(weights))
        background = Background(self._options.decay)
        best, best_bleu, updates = weights, -1.0, 0
        for j in range(self._options.passes):
            chance = int(np.random.SeedSequence((seed, iteration, j)).generate_state(1, np.uint64)[0])
            for i in random_order(len(lists), chance):
                updates += lists[i].update(average, background, self._options.c)
            found = Weights(pool.index, average.mean())
            if (bleu := pool.bleu(found)) > best_bleu:
                best, best_bleu = found, bleu
        return Optimum(best, {"updates": updates})


class Background:
    """Statistics of the document so far, which fades: BLEU of one sentence alone is too rough (Chiang, Marton and Resnik 2008)."""

    def __init__(self, decay: float) -> None:
        self._decay = decay
        self.document: Vector = np.ones(BLEU_COLUMNS)

    def gains(self, statistics: npt.NDArray[np.int32]) -> Vector:
        """BLEU of the document with each hypothesis added, times its length: in words, so that C means the same for all sentences."""
        lengths: Vector = self.document[REFERENCE_LENGTH] + statistics[:, REFERENCE_LENGTH]
        return lengths * _core.SentenceBleu("pseudo", self.document).scores(statistics)

    def add(self, statistics: npt.NDArray[np.int32]) -> None:
        """Take in the translation of the next sentence."""
        self.document = self._decay * self.document + statistics


class Average:
    """Weights, and their mean over all steps, in time that depends on the change alone."""

    def __init__(self, weights: Vector) -> None:
        self.weights = weights
        self._steps = 0
        self._missed: Vector = np.zeros(
            len(weights)
        )  # what the sum over steps lacks because changes came late

    def add(self, columns: npt.NDArray[np.int32] | slice, change: Vector) -> None:
        """Change some weights."""
        self.weights[columns] += change
        self._missed[columns] += self._steps * change

    def step(self) -> None:
        """The weights as they are count once in the mean."""
        self._steps += 1

    def mean(self) -> Vector:
        """Over the steps so far."""
        return self.weights - self._missed / max(1, self._steps)


class _List:
    """The hypotheses of one sentence with the features that occur in them."""

    def __init__(self, pool: KBestPool, begin: int, end: int) -> None:
        rows = pool.matrix[begin:end]
        self._columns, places = np.unique(rows.indices, return_inverse=True)
        rows = type(rows)((rows.data, places, rows.indptr), shape=(end - begin, len(self._columns)))
        self._is_dense = rows.nnz * 2 > rows.shape[0] * rows.shape[1]
        self._rows = rows.toarray() if self._is_dense else rows
        self._statistics = pool.statistics[begin:end]

    def update(self, average: Average, background: Background, c: float) -> bool:
        """One step of MIRA; whether it changed the weights."""
        if len(self._statistics) == 0:
            return False
        scores = self._rows @ average.weights[self._columns]
        gains = background.gains(self._statistics)
        hope, fear = hope_and_fear(scores, gains)
        difference = self._row(hope) - self._row(fear)
        size = step_size(gains[hope] - gains[fear] - (scores[hope] - scores[fear]), difference, c)
        if size > 0:
            average.add(self._columns, size * difference)
        average.step()
        background.add(self._statistics[hope])
        return bool(size > 0)

    def _row(self, i: int) -> Vector:
        row: Vector = self._rows[i] if self._is_dense else self._rows[[i]].toarray()[0]
        return row


def hope_and_fear(scores: Vector, gains: Vector) -> tuple[int, int]:
    """The hypothesis that is good and that the model likes, and the one that is bad and that it likes."""
    return int(np.argmax(scores + gains)), int(np.argmax(scores - gains))


def step_size(loss: float, difference: Vector, c: float) -> float:
    """How far to go along `difference`: the smallest step that leaves no loss, but at most c.

    This solves  min ||w' - w||^2 / 2 + C xi,  (w' - w) . difference >= loss - xi,  xi >= 0.
    """
    length = float(difference @ difference)
    return min(c, loss / length) if loss > 0 and length > 0 else 0.0
