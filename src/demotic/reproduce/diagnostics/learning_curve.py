"""Quality along one pass of an online learner over the training data: figure 1 of Flanigan, Dyer and Carbonell (2013).

With `leave_out=none` the sentences are decoded with the grammar and the language model that were made from them: BLEU on them
rises while it falls on all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from demotic.report.figures import SERIES, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLES = {"train": "--", "dev": ":", "test": "-"}  # as in the paper


@dataclass(frozen=True)
class LearningCurve:
    """BLEU of some sets after each part of the data.

    Attributes:
        sentences: seen so far.
        bleu: by set; that of `train` is of the part just seen, each sentence before it is learnt from.
    """

    sentences: list[int]
    bleu: dict[str, list[float]]

    def change(self, name: str) -> float:
        """From the first report to the last."""
        return self.bleu[name][-1] - self.bleu[name][0]


def learning_curve(history: Sequence[Mapping[str, Any]]) -> LearningCurve:
    """Of a learner that reports every so many sentences (`report_every`) and watches some sets."""
    seen, total = [], 0
    for row in history:
        total += int(row["sentences"])
        seen.append(total)
    keys = [key for key in history[0] if key.endswith("_bleu")]
    return LearningCurve(seen, {key[:-5]: [float(row[key]) for row in history] for key in keys})


def draw_curve(curve: LearningCurve) -> Figure:
    """A line for each set."""
    figure, axes = new_axes()
    for number, (name, scores) in enumerate(curve.bleu.items()):
        colour = SERIES[number % len(SERIES)]
        axes.plot(curve.sentences, scores, _STYLES.get(name, "-."), color=colour, label=plain(name))
    axes.set_xlabel("training sentences")
    axes.set_ylabel("BLEU")
    axes.legend(frameon=False)
    return figure
