"""Decoding a shard into k-best lists with metric statistics: the work that batch learners send out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demotic.base.errors import DemoticError
from demotic.corpus.splits import splitmix64
from demotic.decode import KBest
from demotic.evaluate import BLEU, Metric, References
from demotic.features import FeatureIndex, PackedWeights, Weights
from demotic.learn.options import CandidateOptions
from demotic.learn.workers.candidates import candidates
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.kbest_lists import KBestLists, concatenate, cumulative
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard


@dataclass(frozen=True)
class KBestWork:
    """A shard and what is wanted of it; the answer is `KBestLists`.

    Attributes:
        shard: its examples; their positions in the data enter the seeds of samples.
        options: how many candidates, and how they are found.
        seed: of samples.
        iteration: also enters their seeds.
        objective: whose statistics are wanted.
    """

    shard: Shard
    options: CandidateOptions
    seed: int
    iteration: int
    objective: Metric = BLEU

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """Decode with these packed weights."""
        own = Weights.unpack(weights)
        decoder = context.decoder(own, self.shard)
        builder = ListBuilder(own.index, self.objective)
        for position, example in zip(self.shard.positions.tolist(), self.shard.examples, strict=True):
            draw = np.random.SeedSequence((self.seed, self.iteration, position)).generate_state(1, np.uint64)
            graph = decoder.decode(example)
            references = References(example.reference_words())
            kbest = candidates(graph, self.options, int(draw[0]), references)
            best = graph.viterbi() if self.options.candidates == "samples" else kbest
            builder.add(kbest, best, references)
        return builder.lists().message()


class ListBuilder:
    """Puts the lists of single sentences together; of hypotheses with the same words and features the first one is kept.

    Features are compared as 32-bit numbers: derivations that differ in the order of their sums only are the same.

    Args:
        index: that has numbered the features of the lists.
        objective: what is counted.
    """

    def __init__(self, index: FeatureIndex, objective: Metric = BLEU) -> None:
        self._index = index
        self._objective = objective
        self._places: dict[int, int] = {}  # by feature id
        self._names: list[str] = []
        self._hashes: list[int] = []
        self._parts: list[KBestLists] = []

    def add(self, kbest: KBest, best: KBest, references: References) -> None:
        """The next sentence; the first hypothesis of `best` is the translation that the model chose."""
        with np.errstate(over="ignore"):
            values = kbest.values.astype(np.float32)
        if not np.isfinite(values).all():
            name = self._index.name(int(kbest.features[np.argmin(np.isfinite(values))]))
            raise DemoticError(
                f"the feature '{name}' is not a finite number", hint="check the template that computes it"
            )
        present = values != 0
        values = values[present]
        features = self._local(kbest.features[present])
        row_begins = cumulative(present)[kbest.row_begins.astype(np.int64)]
        self._parts.append(
            KBestLists(
                names=self._names,
                begins=np.array([0, len(kbest)]),
                keys=splitmix64(_word_keys(kbest)) + self._feature_keys(features, values, row_begins),
                statistics=self._objective.statistics(references, kbest),
                best=self._objective.statistics(references, best)[:1],
                row_begins=row_begins,
                features=features,
                values=values,
            )
        )

    def lists(self) -> KBestLists:
        """All sentences that were added."""
        return concatenate([(part, 0) for part in self._parts], self._names).without_repetition()

    def _local(self, features: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
        """Places in the list of names; new features are added to it."""
        used, inverse = np.unique(features, return_inverse=True)
        for id_ in used.tolist():
            if id_ not in self._places:
                self._places[id_] = len(self._names)
                self._names.append(self._index.name(id_))
                self._hashes.append(_hash(self._names[-1]))
        return np.array([self._places[id_] for id_ in used.tolist()], dtype=np.int32)[inverse]

    def _feature_keys(
        self,
        features: npt.NDArray[np.int32],
        values: npt.NDArray[np.float32],
        row_begins: npt.NDArray[np.int64],
    ) -> npt.NDArray[np.uint64]:
        """By names and values, whatever the ids."""
        names = np.array(self._hashes, dtype=np.uint64)[features]
        return _row_sums(splitmix64(names ^ splitmix64(values.view(np.uint32).astype(np.uint64))), row_begins)


def _word_keys(kbest: KBest) -> npt.NDArray[np.uint64]:
    """By words and their places."""
    begins = kbest.word_begins.astype(np.int64)
    words = np.array([_hash(word) for word in kbest.vocabulary], dtype=np.uint64)[kbest.words]
    places = np.arange(len(words)) - np.repeat(begins[:-1], np.diff(begins))
    return _row_sums(splitmix64(words ^ splitmix64(places.astype(np.uint64))), begins)


def _row_sums(values: npt.NDArray[np.uint64], begins: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Sums modulo 2^64."""
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])
    ends: npt.NDArray[np.uint64] = sums[begins]
    return np.diff(ends)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
