"""Translating held-out sentences with given weights, to see how good these are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from demotic.cluster import Executor
from demotic.corpus.text import split_words
from demotic.evaluate import Metric, References
from demotic.features import PackedWeights, Weights
from demotic.learn.task import Example
from demotic.learn.workers.decoding import DecodingContext, DecodingJob
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Shard

_SENTENCES = 50  # per shard


@dataclass(frozen=True)
class TranslateWork:
    """The best translation of every example of a shard."""

    shard: Shard

    def run(self, context: DecodingContext, weights: PackedWeights) -> Message:
        """Decode with these packed weights."""
        decoder = context.decoder(Weights.unpack(weights), self.shard)
        words = (decoder.decode(example).viterbi().sentence(0) for example in self.shard.examples)
        return Message({"lines": [" ".join(sentence) for sentence in words]})


def translate(
    executor: Executor, job: DecodingJob, examples: Sequence[Example], weights: PackedWeights
) -> list[str]:
    """Tokenised translations of examples that are not part of the training data."""
    blocks = np.array_split(np.arange(len(examples)), max(1, -(-len(examples) // _SENTENCES)))
    parts = [
        TranslateWork(Shard(number, tuple(examples[i] for i in block), block))
        for number, block in enumerate(blocks)
    ]
    answers = map(Message.unpack, executor.map(job, parts, weights))
    return [line for answer in answers for line in answer.figures["lines"]]


def held_out_figures(
    executor: Executor,
    job: DecodingJob,
    examples: Sequence[Example],
    weights: PackedWeights,
    objective: Metric,
) -> dict[str, float]:
    """BLEU of the examples, 0 to 100, on tokens, and what else an objective asks for (`Metric.figures`)."""
    outputs = [split_words(line) for line in translate(executor, job, examples, weights)]
    references = [References(example.reference_words()) for example in examples]
    return objective.figures(objective.corpus_statistics(outputs, references).sum(axis=0, dtype=np.int64))
