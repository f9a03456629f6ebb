"""What an epoch of online learning saw."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from demotic._core import UpdateCounts
from demotic.evaluate.bleu import BLEU_COLUMNS, bleu_score


@dataclass
class EpochStatistics:
    """What an epoch saw; sums, so that shards add up."""

    sentences: int = 0
    skipped: int = 0  # sentences that teach nothing: a single hypothesis, all equally good, or numbers that are not finite
    metric: float = 0.0  # of the 1-best, summed over sentences
    ngrams: list[int] = field(default_factory=lambda: [0] * BLEU_COLUMNS)  # of the 1-best, summed
    loss: float = 0.0
    pairs: int = 0
    errors: int = 0  # pairs ranked the wrong way round, or equal
    updates: int = 0
    reachable: int = 0  # sentences with a derivation that yields the reference; of learners that ask for it
    rescored: int = 0  # sentences whose hypergraph was kept, so that they were not decoded
    decoding: float = 0.0  # seconds
    learning: float = 0.0  # seconds

    def add(self, other: EpochStatistics) -> None:
        """Take in another part of the data."""
        ngrams = np.add(self.ngrams, other.ngrams).tolist()
        for name, value in vars(other).items():
            setattr(self, name, ngrams if name == "ngrams" else getattr(self, name) + value)

    def count(self, counts: UpdateCounts) -> None:
        """What the pairs of a list did."""
        self.skipped += counts.pairs == 0
        self.pairs += counts.pairs
        self.errors += counts.errors
        self.updates += counts.updates
        self.loss += counts.loss

    def summary(self) -> dict[str, float]:
        """What depends on the data and the seed alone."""
        sentences = max(1, self.sentences)
        pairs = {"pairs": self.pairs, "errors": self.errors} if self.pairs else {}
        loss = {"loss": self.loss / sentences} if self.loss or not self.pairs else {}
        return {
            "metric": self.metric / sentences,  # mean of the 1-best
            "train_bleu": bleu_score(np.array(self.ngrams)).score,  # each decoded before it is learnt from
            **pairs,
            **loss,
            "updates": self.updates,
            "skipped": self.skipped,
            **({"reachable": self.reachable} if self.reachable else {}),
            **({"rescored": self.rescored} if self.rescored else {}),
        }

    def seconds(self) -> dict[str, float]:
        """What it cost, summed over workers."""
        return {"decode_seconds": round(self.decoding, 3), "learn_seconds": round(self.learning, 3)}
