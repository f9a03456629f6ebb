"""From words to a hypergraph, one sentence or many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.parallel import default_threads
from demotic.corpus.text import split_words
from demotic.decode.constraints import SpanConstraint, collapse
from demotic.decode.hypergraph import Hypergraph
from demotic.decode.kbest import KBest
from demotic.decode.language_models import LanguageModels
from demotic.decode.options import DecodeOptions
from demotic.features import FeatureIndex, TemplateSet, Weights
from demotic.grammar import Exclude, Grammar, GrammarIndex
from demotic.lm import LanguageModel

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Sentences; fixed, so that the order in which features get their ids does not depend on the threads.
_BATCH = 64

MakeList = Callable[[_core.Hypergraph], _core.KBestList]
"""Makes a list of translations from the derivations of a sentence; called by several threads."""
ConstrainedWords = tuple[str | Sequence[str], Sequence[SpanConstraint]]
"""A tokenised sentence, and constraints on spans of its words."""


@dataclass(frozen=True)
class _Job:
    """A sentence to decode, with its own rules or None, and constraints on spans of its words."""

    sentence: str | Sequence[str]
    grammar: Grammar | None = None
    constraints: Sequence[SpanConstraint] = ()


class Decoder:
    """Decodes tokenised sentences with rules from an index or a grammar, or with rules given for each sentence.

    Args:
        lm: the language model, or several, each with a feature of its own.
        weights: by feature name; features that have none weigh 0.
        rules: where rules come from, unless a call brings its own: an index, or a grammar of any size, of which each sentence
            gets the rules whose words it has.
        templates: sparse features and bins, computed once per rule.
        options: search.
        dense: name of the dense feature set; default: that of `rules`, or cdec12.
        frozen: leave the index of the weights as it is. Every hypergraph and every list then numbers features that the weights do
            not have in an index of its own, and any number of threads may decode at once. Learners want new features to be
            added to the index of the weights, in the order in which sentences are decoded.
    """

    def __init__(
        self,
        lm: LanguageModel | LanguageModels,
        weights: Weights,
        rules: GrammarIndex | Grammar | None = None,
        templates: TemplateSet | None = None,
        options: DecodeOptions | None = None,
        dense: str | None = None,
        frozen: bool = False,
    ) -> None:
        self.lms = lm if isinstance(lm, LanguageModels) else LanguageModels(lm)
        self.weights = weights
        self.rules = rules
        self.templates = templates
        self.options = options or DecodeOptions()
        self.frozen = frozen
        self.label = ""  # of the sentences: `with_label`
        self.dense = dense or (rules.options.features if isinstance(rules, GrammarIndex) else "cdec12")
        self.native = self._native()

    def with_weights(self, weights: Weights, lms: LanguageModels | None = None) -> Decoder:
        """The same decoder with other weights, to be learnt, and perhaps other language models; what is loaded is shared."""
        other = copy(self)
        other.weights, other.frozen = weights, False
        if lms is not None and lms != self.lms:
            other.lms = lms
            other.native = other._native()
        return other

    def with_label(self, label: str) -> Decoder:
        """The same decoder for sentences with a label; what is loaded is shared."""
        if label == self.label:
            return self
        other = copy(self)
        other.label = label
        return other

    def _features(self, grammar: Grammar) -> _core.RuleFeatures | None:
        if self.templates is None:
            return None
        return self.templates.rule_features(grammar, self.weights.index, self.label)

    def _native(self) -> _core.NativeDecoder:
        bins = self.templates.bins if self.templates else None
        options = self.options.native(self.dense, bins.left_out if bins else (), self.lms.features())
        further = [
            (model.lm.core, model.classes.native if model.classes else None) for model in self.lms.further
        ]
        whole = self.lms.whole.core if self.lms.whole else None
        return _core.NativeDecoder(self.lms.words.core, options, further, whole)

    def decode(
        self,
        sentence: str | Sequence[str],
        *,
        grammar: Grammar | None = None,
        exclude: Exclude = None,
        constraints: Sequence[SpanConstraint] = (),
    ) -> Hypergraph:
        """Parse and search one sentence.

        Args:
            sentence: tokenised: a line, or its words.
            grammar: its rules; default: from the index or the grammar that the decoder has.
            exclude: sentence pairs of the index that count as absent.
            constraints: spans of words with a prescribed translation; each is one word of the hypergraph's sentence.

        Raises:
            DemoticError: if no derivation covers the sentence, or for constraints that overlap.
        """
        return Hypergraph(self._decode(_Job(sentence, grammar, constraints), exclude), self._index())

    def decode_reference(
        self,
        sentence: str | Sequence[str],
        reference: Sequence[str],
        *,
        grammar: Grammar | None = None,
        exclude: Exclude = None,
    ) -> Hypergraph | None:
        """Forced decoding: parse a sentence and a translation of it together.

        Nothing is pruned: the hypergraph has all derivations of the rules that yield the reference word for word, with the scores and
        features that `decode` would give them.

        Args:
            sentence: tokenised: a line, or its words.
            reference: words of the translation.
            grammar: the rules of the sentence; default: from the index or the grammar that the decoder has.
            exclude: sentence pairs of the index that count as absent.

        Returns:
            The derivations; None if no derivation yields the reference.
        """
        words = _words(sentence)
        rules = self._rules_for(words, exclude) if grammar is None else grammar
        features = self._features(rules)
        native = self.native.decode_reference(
            words, list(reference), rules.native, features, self.weights.index, self.weights.native
        )
        return None if native is None else Hypergraph(native, self._index())

    def unpack(self, packed: bytes, sentence: str | Sequence[str]) -> Hypergraph:
        """The derivations of a sentence under the current weights, from `Hypergraph.pack`: nothing is extracted or searched.

        Scores and features are those that `decode` would give to the same derivations.

        Args:
            packed: made by a decoder with the same rules, dense features and language models; templates may differ.
            sentence: that was decoded.

        Raises:
            DemoticError: for bytes that contradict themselves.
        """
        words = _words(sentence)
        grammar = Grammar(_core.unpack_rules(packed, self._vocabularies.native, self.dense))
        features = self._features(grammar)
        native = self.native.unpack(
            packed, words, grammar.native, features, self.weights.index, self.weights.native
        )
        return Hypergraph(native, self._index())

    @cached_property
    def _vocabularies(self) -> Grammar:
        """A grammar of the decoder, for its vocabularies."""
        return self.rules if isinstance(self.rules, Grammar) else self._rules_for([], None)

    def kbest(
        self, sentences: Iterable[str], k: int, *, unique: bool = True, threads: int = 0
    ) -> Iterator[KBest]:
        """The k best translations of each sentence, with the decoder's rules; in order, as a stream."""
        return self._lists(map(_Job, sentences), kbest_lists(k, unique), threads)

    def lists(self, jobs: Iterable[ConstrainedWords], make: MakeList, *, threads: int = 0) -> Iterator[KBest]:
        """A list of each sentence, made from its hypergraph in any way; sentences with constraints on spans of words."""
        return self._lists(_constrained(jobs), make, threads)

    def lists_or_errors(
        self, jobs: Iterable[ConstrainedWords], make: MakeList, *, threads: int = 0
    ) -> Iterator[KBest | Exception]:
        """A list of each sentence, made from its hypergraph in any way; an error in the place of one that cannot be decoded."""
        return self._outcomes(_constrained(jobs), make, threads)

    def kbest_with_grammars(
        self, jobs: Iterable[tuple[str, Grammar | None]], k: int, *, unique: bool = True, threads: int = 0
    ) -> Iterator[KBest]:
        """The same for sentences that bring their rules."""
        return self._lists((_Job(*job) for job in jobs), kbest_lists(k, unique), threads)

    def _lists(self, jobs: Iterable[_Job], make: MakeList, threads: int) -> Iterator[KBest]:
        """A list of each sentence.

        Threads only look features up; new ones get their ids here, one sentence after the other, so that these do not depend on
        the threads.

        Raises:
            DemoticError: for a sentence that cannot be decoded, with its number, counted from 1.
        """
        for number, outcome in enumerate(self._outcomes(jobs, make, threads), start=1):
            if isinstance(outcome, KBest):
                yield outcome
            elif isinstance(outcome, DemoticError):  # among thousands of sentences, say which
                message = f"sentence {number}: {outcome.message}"
                raise DemoticError(message, outcome.file, outcome.line, outcome.hint) from None
            else:
                raise outcome

    def _outcomes(self, jobs: Iterable[_Job], make: MakeList, threads: int) -> Iterator[KBest | Exception]:
        stream = iter(jobs)
        with _pool(threads or default_threads()) as pool:
            # A batch is finished before its features are numbered: nobody may read the index while it grows.
            while batch := list(islice(stream, _BATCH)):
                run = pool.map if pool else map
                for found in list(run(lambda job: self._list(job, make), batch)):
                    yield found if isinstance(found, Exception) else KBest(found, self._index())

    def _list(self, job: _Job, make: MakeList) -> _core.KBestList | Exception:
        try:
            return make(self._decode(job))
        except Exception as error:  # also what a user's template raises; interrupts are none
            return error

    def _index(self) -> FeatureIndex:
        """Where features of one hypergraph or list get their ids."""
        return FeatureIndex(self.weights.index) if self.frozen else self.weights.index

    def _decode(self, job: _Job, exclude: Exclude = None) -> _core.Hypergraph:
        words = _words(job.sentence)
        read, forced = words, None
        if job.constraints:
            words, read, forced = collapse(words, job.constraints)
        grammar = self._rules_for(read, exclude) if job.grammar is None else job.grammar
        features = self._features(grammar)
        return self.native.decode(
            words, grammar.native, features, self.weights.index, self.weights.native, forced or []
        )

    def _rules_for(self, words: list[str], exclude: Exclude) -> Grammar:
        if self.rules is None:
            raise ValueError("a Decoder without rules needs a grammar for each sentence")
        if isinstance(self.rules, GrammarIndex):
            return self.rules.grammar(words, exclude)
        if exclude is not None:
            raise ValueError("only rules from an index can leave sentences out")
        return self.rules.matching(words)


def _words(sentence: str | Sequence[str]) -> list[str]:
    return split_words(sentence) if isinstance(sentence, str) else list(sentence)


def kbest_lists(k: int, unique: bool = True) -> MakeList:
    """Makes lists of the k best translations, or derivations."""
    return lambda graph: _core.kbest(graph, k, unique)


def _constrained(jobs: Iterable[ConstrainedWords]) -> Iterator[_Job]:
    return (_Job(sentence, constraints=constraints) for sentence, constraints in jobs)


def _pool(workers: int) -> AbstractContextManager[ThreadPoolExecutor | None]:
    """Threads, or None where one worker will do: it needs no pool, which takes a while to import."""
    if workers <= 1:
        return nullcontext()
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(workers)
