"""How examples are decoded, wherever that happens: a recipe that travels, and what a worker makes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from demotic.decode import Decoder, Hypergraph, LanguageModels, TranslationModel
from demotic.features import FeatureGroups, Weights
from demotic.grammar import Mask
from demotic.learn.options import SearchOptions
from demotic.learn.task import Example
from demotic.learn.workers.graph_cache import GraphCache
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import Fold, Shard


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
        self._masks: dict[Fold, Mask] = {}
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
        lms = self._fold_models(shard.fold.number) if shard.fold_lm and shard.fold else None
        decoder = self._with_search(search or SearchOptions())
        return ShardDecoder(decoder.with_weights(weights, lms), shard, lambda: self._mask(shard))

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

    def _mask(self, shard: Shard) -> Mask | None:
        """What is left out of the grammar for all examples alike."""
        if shard.leave_out == "shard":
            return self._index.mask(shard.sentences())
        return self._fold_mask(shard.fold) if shard.leave_out == "fold" and shard.fold else None

    def _fold_mask(self, fold: Fold) -> Mask:
        """Folds are few and large, and many shards and blocks share one: masks are kept, unlike those of shards."""
        with self._lock:
            if fold not in self._masks:
                self._masks[fold] = self._index.mask(fold.sentences(self.corpus_size))
            return self._masks[fold]

    def _fold_models(self, fold: int) -> LanguageModels:
        assert self._fold_lms is not None
        with self._lock:
            if fold not in self._lms:
                self._lms[fold] = self._model.lms.retrained(self._fold_lms, fold)
            return self._lms[fold]


class ShardDecoder:
    """A decoder that leaves out what the examples of a shard must not see.

    Args:
        decoder: with the weights to be learnt.
        shard: the examples.
        mask: makes what is left out for all of them alike, once, when it is needed.
    """

    def __init__(self, decoder: Decoder, shard: Shard, mask: Callable[[], Mask | None]) -> None:
        self._decoder = decoder
        self._leave_one_out = shard.leave_out == "sentence"
        self._make_mask = mask

    @cached_property
    def _mask(self) -> Mask | None:
        return self._make_mask()

    def decode(self, example: Example) -> Hypergraph:
        """The derivations of an example under the current weights."""
        exclude = example.number if self._leave_one_out else self._mask
        return self._decoder.decode(example.source, exclude=exclude)

    def unpack(self, packed: bytes, example: Example) -> Hypergraph:
        """Derivations of an example that were packed, under the current weights."""
        return self._decoder.unpack(packed, example.source)
