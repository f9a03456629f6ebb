"""How examples are decoded, wherever that happens: a recipe that travels, and what a worker makes of it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from demotic.decode import Decoder, Hypergraph, LanguageModels, TranslationModel
from demotic.features import FeatureGroups, Weights
from demotic.grammar import Exclude, Mask
from demotic.learn.options import SearchOptions
from demotic.learn.task import Example
from demotic.learn.workers.graph_cache import GraphCache
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Folds, Shard


@dataclass(frozen=True)
class Recipe:
    """Small, so that it can be sent to workers: they load the model from its folder.

    Attributes:
        model: folder.
        templates: sparse features.
        fold_lms: folder with `lm.0.bin`, ... (`train_fold_models`) if shards have language models of their own.
        groups: a `groups.txt`: features stand for their groups.
    """

    model: Path
    templates: tuple[str, ...]
    fold_lms: Path | None = None
    groups: Path | None = None

    def load(self) -> DecodingContext:
        """Open the model; its files are mapped, so that the processes of a machine share their memory."""
        return DecodingContext(self)


class ShardWork(Protocol):
    """What is done with a shard; small and picklable."""

    def run(self, context: DecodingContext, broadcast: Any) -> Message:
        """Do it with what all shards are given: packed weights, as a rule."""


@dataclass(frozen=True)
class DecodingJob:
    """The job of `demotic.cluster` for everything that decodes: the model is loaded once, whatever is done with it."""

    recipe: Recipe

    def prepare(self) -> DecodingContext:
        """Load the model."""
        return self.recipe.load()

    def run(self, context: DecodingContext, shard: ShardWork, broadcast: Any) -> bytes:
        """Do the work of one shard; the answer as bytes."""
        return shard.run(context, broadcast).pack()


class DecodingContext:
    """A model in use by any number of threads, each with weights of its own."""

    def __init__(self, recipe: Recipe) -> None:
        model = self._model = TranslationModel(recipe.model)
        groups = FeatureGroups.load(recipe.groups) if recipe.groups else None
        templates = model.template_set(recipe.templates, groups)
        self._options = model.options.decode
        self._decoder = Decoder(model.lms, model.weights, model.index, templates, self._options)
        self._decoders = {SearchOptions(): self._decoder}
        self._index = model.index
        self._fold_lms = recipe.fold_lms
        self._lms: dict[int, LanguageModels] = {}
        self._folds: dict[Folds, npt.NDArray[np.int32]] = {}
        self._masks: dict[tuple[Folds, int], Mask] = {}
        self.graphs = GraphCache()  # for those who come back to the same hypergraphs
        self._lock = threading.Lock()

    @property
    def corpus_size(self) -> int:
        """Sentence pairs in the index."""
        return len(self._index)

    def decoder(self, weights: Weights, shard: Shard, search: SearchOptions | None = None) -> ShardDecoder:
        """A decoder for the examples of a shard.

        Args:
            weights: to be learnt.
            shard: what it must not see is left out.
            search: default: that of the model.
        """
        decoder = self._with_search(search or SearchOptions())
        return ShardDecoder(self, decoder.with_weights(weights), shard)

    def _with_search(self, search: SearchOptions) -> Decoder:
        """The decoder with other limits: what it caches is its own, the model is shared."""
        with self._lock:
            if search not in self._decoders:
                usual, options, index = self._decoder, self._options, self._index
                options = replace(
                    options,
                    pop_limit=search.train_pop_limit or options.pop_limit,
                    lazy_corners=search.train_lazy_corners or options.lazy_corners,
                )
                if search.train_scan_limit:
                    index = index.with_options(replace(index.options, scan_limit=search.train_scan_limit))
                self._decoders[search] = Decoder(usual.lms, usual.weights, index, usual.templates, options)
            return self._decoders[search]

    def mask(self, sentences: Sequence[int]) -> Mask:
        """What is left out of the grammar for all examples of a shard alike; not kept."""
        return self._index.mask(sentences)

    def fold_mask(self, folds: Folds, fold: int) -> Mask:
        """Folds are few and large, and all shards and blocks share them: masks are kept."""
        of_pairs = self.fold_of_pairs(folds)
        with self._lock:
            if (folds, fold) not in self._masks:
                self._masks[folds, fold] = self._index.mask(np.flatnonzero(of_pairs == fold))
            return self._masks[folds, fold]

    def fold_of_pairs(self, folds: Folds) -> npt.NDArray[np.int32]:
        """The fold of each sentence pair of the index."""
        with self._lock:
            if folds not in self._folds:
                self._folds[folds] = folds.of_pairs(self.corpus_size)
            return self._folds[folds]

    def fold_models(self, fold: int) -> LanguageModels:
        """The language models that have not seen a fold."""
        assert self._fold_lms is not None
        with self._lock:
            if fold not in self._lms:
                self._lms[fold] = self._model.lms.retrained(self._fold_lms, fold)
            return self._lms[fold]


class ShardDecoder:
    """A decoder that leaves out what each example of a shard must not see.

    Args:
        context: the model.
        decoder: with the weights to be learnt.
        shard: the examples.
    """

    def __init__(self, context: DecodingContext, decoder: Decoder, shard: Shard) -> None:
        self._context, self._shard = context, shard
        self._decoder = decoder
        self._decoders: dict[int, Decoder] = {}  # by the fold that their language model has not seen
        self._fold_of_pairs = None if shard.folds is None else context.fold_of_pairs(shard.folds)

    def decode(self, example: Example) -> Hypergraph:
        """The derivations of an example under the current weights."""
        return self._decoder_for(example).decode(example.source, exclude=self._exclude(example))

    def decode_reference(self, example: Example, reference: list[str]) -> Hypergraph | None:
        """All derivations of an example that yield a reference; None if there is none."""
        decoder = self._decoder_for(example)
        return decoder.decode_reference(example.source, reference, exclude=self._exclude(example))

    def unpack(self, packed: bytes, example: Example) -> Hypergraph:
        """Derivations of an example that were packed, under the current weights."""
        return self._decoder_for(example).unpack(packed, example.source)

    def _decoder_for(self, example: Example) -> Decoder:
        return self._decoder_of_fold(example).with_label(example.label)

    def _decoder_of_fold(self, example: Example) -> Decoder:
        fold = self._fold(example) if self._shard.fold_lm else None
        if fold is None:
            return self._decoder
        if fold not in self._decoders:
            decoder = self._decoder
            self._decoders[fold] = decoder.with_weights(decoder.weights, self._context.fold_models(fold))
        return self._decoders[fold]

    def _exclude(self, example: Example) -> Exclude:
        """What is left out of the grammar."""
        shard = self._shard
        if shard.leave_out == "sentence":
            return example.number
        if shard.leave_out == "shard":
            return self._shard_mask
        fold = self._fold(example) if shard.leave_out == "fold" else None
        return None if fold is None or shard.folds is None else self._context.fold_mask(shard.folds, fold)

    @cached_property
    def _shard_mask(self) -> Mask:
        return self._context.mask(self._shard.sentences())

    def _fold(self, example: Example) -> int | None:
        """Of the training data, to which an example belongs."""
        if self._fold_of_pairs is None or example.number is None:
            return None
        return int(self._fold_of_pairs[example.number])
