"""What is left out of the grammar by folds and shards: one mask per fold and context, and patterns that are found again."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from demotic.corpus.splits import folds
from demotic.decode import TranslationModel
from demotic.features import Weights
from demotic.grammar import Exclude, GrammarIndex, Mask
from demotic.learn import TuningTask, training_examples
from demotic.learn.options import LeaveOut, LeaveOutOptions, ShardOptions
from demotic.learn.workers.decoding import DecodingContext, Recipe
from demotic.learn.workers.shards import Folds, Shard, make_blocks, make_shards

SEED = 7


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[GrammarIndex, int]]]:
    """Masks of more than one sentence, when they are made: the index, and their size."""
    masks: list[tuple[GrammarIndex, int]] = []
    make = GrammarIndex.mask

    def counting(self: GrammarIndex, exclude: Exclude) -> Mask:
        mask = make(self, exclude)
        if mask is not exclude and len(mask) > 1:
            masks.append((self, len(mask)))
        return mask

    monkeypatch.setattr(GrammarIndex, "mask", counting)
    yield masks


def blocks_of(model: TranslationModel, leave_out: LeaveOut, size: int = 3) -> list[Shard]:
    task = TuningTask(model.folder, (), training_examples(model, 24, seed=2))
    return make_blocks(task, size, LeaveOutOptions(leave_out=leave_out, folds=3), SEED)


def decode_all(context: DecodingContext, model: TranslationModel, shards: list[Shard]) -> list[list[str]]:
    return [
        context.decoder(Weights.unpack(model.weights.pack()), shard).decode(example).viterbi().sentence(0)
        for shard in shards
        for example in shard.examples
    ]


def test_one_mask_per_fold(model: TranslationModel, made: list[tuple[GrammarIndex, int]]):
    context, blocks = DecodingContext(Recipe(model.folder, ())), blocks_of(model, "fold")
    assert len(blocks) > 3
    first = decode_all(context, model, blocks)
    fold_of = folds(len(model.index), 3, SEED)
    assert sorted(size for _, size in made) == sorted(np.bincount(fold_of))
    (index,) = {index for index, _ in made}
    extractor = index.extractor
    hits, misses = extractor.cache_hits, extractor.cache_misses
    assert decode_all(context, model, blocks) == first
    assert extractor.cache_misses == misses and extractor.cache_hits == 2 * hits + misses
    assert len(made) == 3


def test_patterns_of_a_shard_are_found_again(model: TranslationModel, made: list[tuple[GrammarIndex, int]]):
    task = TuningTask(model.folder, (), training_examples(model, 12, seed=2))
    shards = make_shards(task, ShardOptions(leave_out="shard", shards=3), len(model.index), SEED)
    context = DecodingContext(Recipe(model.folder, ()))
    first = decode_all(context, model, shards)
    misses = made[0][0].extractor.cache_misses
    assert decode_all(context, model, shards) == first
    assert made[0][0].extractor.cache_misses == misses


@pytest.mark.parametrize("leave_out", ["sentence", "shard", "fold", "none"])
def test_what_is_left_out(model: TranslationModel, leave_out: LeaveOut):
    """Against the decoder with the list of sentences."""
    context, blocks = DecodingContext(Recipe(model.folder, ())), blocks_of(model, leave_out)
    fold_of = folds(len(model.index), 3, SEED)
    expected = []
    for block in blocks:
        for example in block.examples:
            own: dict[LeaveOut, list[int]] = {
                "sentence": [example.number],
                "shard": [other.number for other in block.examples],
                "fold": np.flatnonzero(fold_of == fold_of[example.number]).tolist(),
                "none": [],
            }
            expected.append(
                model.decoder.decode(example.source, exclude=own[leave_out]).viterbi().sentence(0)
            )
    assert decode_all(context, model, blocks) == expected


def test_a_block_does_not_carry_its_fold(model: TranslationModel):
    """What travels to workers grows with the examples, not with the corpus."""
    for block in blocks_of(model, "fold"):
        assert isinstance(block.folds, Folds)
        alone = replace(block, leave_out="none", folds=None)
        assert len(pickle.dumps(block)) < len(pickle.dumps(alone)) + 200
