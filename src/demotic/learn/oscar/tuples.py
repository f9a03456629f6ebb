"""Tuples <f, e', e*>: a better and a worse translation of a sentence, sampled from lists that are not kept.

Line 1 of algorithm 2 of Liu, Zhao, Watanabe and Sumita (2013). A tuple is kept as the features of the better translation less those of
the worse, about 8 bytes for each feature in which they differ; lists are gone as soon as their sentence has been sampled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.checks import at_least
from demotic.base.errors import DemoticError
from demotic.evaluate import BLEU, References
from demotic.features import PackedWeights, Weights
from demotic.learn.batch.pro import statistics_metric
from demotic.learn.options import CandidateOptions, PairOptions
from demotic.learn.workers.candidates import candidates
from demotic.learn.workers.decoding import DecodingContext
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class TupleOptions(CandidateOptions):
    """How tuples are sampled: as PRO does (Hopkins and May 2011), with its defaults."""

    metric: str = "bleu+1"  # sentence-level metric: bleu+1, liang, nakov, ter or chrf
    samples: int = 5000  # pairs sampled per list
    pairs_kept: int = 50  # sampled pairs kept, those with the largest difference in the metric
    threshold: float = 0.05  # minimum difference in the metric within a pair

    def __post_init__(self) -> None:
        CandidateOptions.__post_init__(self)
        at_least(0, threshold=self.threshold, samples=self.samples, pairs_kept=self.pairs_kept)
        self.native_pairs()
        statistics_metric(self.metric)

    def native_pairs(self) -> _core.PairOptions:
        """The same for the core, checked."""
        pairs = PairOptions(
            "pro", threshold=self.threshold, pair_samples=self.samples, pairs_kept=self.pairs_kept
        )
        return pairs.native_pairs()


@dataclass(frozen=True)
class Tuples:
    """Tuples of some sentences.

    Attributes:
        names: features that occur, a column each.
        sentences: of each tuple, the place of its sentence in the data.
        rows: features of the better translation less those of the worse, 32-bit numbers.
        best: n-gram statistics of the model's own translations, summed over sentences.
    """

    names: Sequence[str]
    sentences: npt.NDArray[np.int64]
    rows: csr_matrix
    best: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sentences)

    def message(self) -> Message:
        """As they travel and are kept."""
        rows = {"begins": self.rows.indptr, "features": self.rows.indices, "values": self.rows.data}
        return Message({"names": list(self.names)}, {"sentences": self.sentences, "best": self.best, **rows})

    @classmethod
    def from_message(cls, message: Message) -> Tuples:
        """The tuples of a message."""
        from scipy.sparse import csr_matrix

        names, arrays = message.figures["names"], message.arrays
        parts = arrays["values"], arrays["features"], arrays["begins"]
        rows = csr_matrix(parts, shape=(len(arrays["sentences"]), len(names)))
        return cls(names, arrays["sentences"], rows, arrays["best"])


def merge(parts: Iterable[Tuples]) -> Tuples:
    """All tuples, sentence by sentence and otherwise in the order of the parts; columns in the order of names."""
    from scipy.sparse import csr_matrix, vstack

    loaded = list(parts)
    names = sorted({name for part in loaded for name in part.names})
    numbers = {name: i for i, name in enumerate(names)}
    stack = [csr_matrix((0, len(names)), dtype=np.float32)]
    for part in loaded:
        columns = np.array([numbers[name] for name in part.names], dtype=np.int32)
        moved = (part.rows.data, columns[part.rows.indices], part.rows.indptr)
        stack.append(csr_matrix(moved, shape=(len(part), len(names))).sorted_indices())
    sentences = np.concatenate([np.zeros(0, np.int64), *(part.sentences for part in loaded)])
    order = np.argsort(sentences, kind="stable")
    best = np.zeros(BLEU.columns, np.int64)
    return Tuples(
        names, sentences[order], vstack(stack, "csr")[order], best + sum(part.best for part in loaded)
    )


@dataclass(frozen=True)
class TupleWork:
    """A shard to be decoded and sampled; the answer is `Tuples`.

    Attributes:
        shard: its examples; their positions in the data enter the seeds.
        options: lists and pairs.
        seed: of the pairs.
        iteration: also enters their seeds.
    """

    shard: Shard
    options: TupleOptions
    seed: int
    iteration: int

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """Decode with these packed weights."""
        from scipy.sparse import csr_matrix, vstack

        own = Weights.unpack(weights)
        decoder = context.decoder(own, self.shard)
        found: list[Any] = [csr_matrix((0, 1))]
        best = np.zeros(BLEU.columns, np.int64)
        for position, example in zip(self.shard.positions.tolist(), self.shard.examples, strict=True):
            seeds = np.random.SeedSequence((self.seed, self.iteration, position)).generate_state(2, np.uint64)
            graph = decoder.decode(example)
            references = References(example.reference_words())
            kbest = candidates(graph, self.options, int(seeds[0]), references)
            if not np.isfinite(kbest.values).all():
                bad = int(kbest.features[np.argmin(np.isfinite(kbest.values))])
                raise DemoticError(
                    f"the feature '{own.index.name(bad)}' is not a finite number",
                    hint="check the template that computes it",
                )
            first = graph.viterbi() if self.options.candidates == "samples" else kbest
            best += BLEU.statistics_of(references, first.sentence(0))
            metric = statistics_metric(self.options.metric).scores(references, kbest)
            nothing = np.zeros(0)
            pairs = _core.make_pairs(metric, nothing, nothing, self.options.native_pairs(), int(seeds[1]))
            matrix = kbest.to_scipy()
            found.append(matrix[pairs[:, 0]] - matrix[pairs[:, 1]])
        width = max(part.shape[1] for part in found)
        for part in found:
            part.resize(part.shape[0], width)
        rows = vstack(found, "csr").astype(np.float32)
        rows.eliminate_zeros()
        used, columns = np.unique(rows.indices, return_inverse=True)
        sentences = np.repeat(self.shard.positions, [part.shape[0] for part in found[1:]])
        kept = csr_matrix(
            (rows.data, columns.astype(np.int32), rows.indptr.astype(np.int32)), (len(sentences), len(used))
        )
        return Tuples([own.index.name(int(i)) for i in used], sentences, kept, best).message()
