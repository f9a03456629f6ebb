"""A trained model: a folder that translates raw text."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TypeAlias

from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish
from demotic.decode.constraints import SpanConstraint, constrained_words
from demotic.decode.decoder import Decoder, MakeList, kbest_lists
from demotic.decode.hypergraph import Hypergraph
from demotic.decode.kbest import KBest
from demotic.decode.mbr import mbr_lists
from demotic.decode.model_folder import WEIGHTS, ModelFolder
from demotic.decode.options import DECODER_FEATURES, TranslateOptions
from demotic.decode.unknown_weights import warn_of_unknown_weights
from demotic.features import LABELLED, FeatureGroups, TemplateSet, class_sizes, known_labels
from demotic.grammar import ADDITION, FEATURE_SETS
from demotic.lm.class_options import class_feature

LineConstraints: TypeAlias = Iterable[Sequence[SpanConstraint]] | None


class TranslationModel(ModelFolder):
    """Preprocessor, language model, index, templates, bins and weights of one folder.

    The folder is looked at at once; each part is loaded and checked when it is first used. Translating changes nothing in the
    model, so any number of threads may translate once the decoder is loaded.

    Args:
        folder: made by `demotic train`; self-contained, so it can be moved.
    """

    def __init__(self, folder: Pathish) -> None:
        super().__init__(folder)
        self.check()
        _ = self.options  # a mistake in model.toml is told now

    @cached_property
    def decoder(self) -> Decoder:
        """Translates tokenised sentences; leaves the feature index of the weights as it is."""
        templates = self.template_set(self.options.features.templates)
        decoder = Decoder(self.lms, self.weights, self.index, templates, self.options.decode, frozen=True)
        warn_of_unknown_weights(decoder, self.folder / WEIGHTS)
        return decoder

    def template_set(self, names: Sequence[str], groups: FeatureGroups | None = None) -> TemplateSet | None:
        """These templates with the bins and word classes of the model, their features tied in groups; None if there are neither."""
        if not names and not self.bins:
            return None
        return TemplateSet(
            names, self.bins, groups, {size: self.classes(size) for size in class_sizes(names)}
        )

    def with_label(self, label: str) -> TranslationModel:
        """The same model for sentences with a label; what is loaded is shared.

        Raises:
            DemoticError: if no template of the model depends on labels.
        """
        templates = self.decoder.templates
        if templates is None or not templates.has_labels:
            raise DemoticError(
                "this model has no features of labels",
                self.folder,
                hint=f"tune it with templates such as word_pair{LABELLED}, or leave the label out",
            )
        known = known_labels(self.weights)
        if label not in known:
            shown = ", ".join(known[:10]) or "none"
            warn(f"no feature with the label '{label}' has a weight; labels of the model: {shown}")
        other = copy(self)
        other.__dict__["decoder"] = self.decoder.with_label(label)
        return other

    def dense_features(self) -> list[str]:
        """Names of the dense features, sorted."""
        dense = self.options.grammar.features
        further = map(class_feature, self.options.class_lm.classes)
        names = {*FEATURE_SETS[dense], *DECODER_FEATURES[dense], *further} - {""}
        if self.additions.new:
            names.add(ADDITION)
        if self.bins is not None:
            names = names - set(self.bins.left_out) | set(self.bins.real)
        return sorted(names)

    def translate(
        self, lines: Iterable[str], threads: int = 0, constraints: LineConstraints = None
    ) -> Iterator[str]:
        """Raw text in, text as a person writes it out; line by line, in order.

        Args:
            lines: of raw text.
            threads: 0: all cores.
            constraints: for each line its spans, in characters, with a prescribed translation; None: none have any. See
                `protected_spans` and `Glossary`.
        """
        ahead: deque[str] = deque()  # lines that decoding has taken, whose translations are still to come

        def taken() -> Iterator[str]:
            for line in lines:
                ahead.append(line)
                yield line

        for kbest in self.lists(taken(), self.choice(), threads, constraints):
            yield self.restore(kbest.sentence(0), source=ahead.popleft())

    def kbest(
        self, lines: Iterable[str], k: int, threads: int = 0, constraints: LineConstraints = None
    ) -> Iterator[KBest]:
        """The k best different translations of each line of raw text by their scores, as words for `restore`."""
        return self.lists(lines, kbest_lists(k), threads, constraints)

    def choice(self, count: int = 1, how: TranslateOptions | None = None) -> MakeList:
        """Makes the list of translations that the model gives for a sentence, the best first.

        Args:
            count: of different translations.
            how: they are chosen; default: as `model.toml` says.
        """
        how = how or self.options.translate
        if how.mbr == "none":
            return kbest_lists(count)
        return mbr_lists(count, how.mbr_options(self.weights.dense_length(), count))

    def chosen(self, graph: Hypergraph, count: int = 1) -> KBest:
        """The translations that the model gives for a sentence whose derivations are known."""
        return KBest(self.choice(count)(graph.native), graph.index)

    def lists(
        self, lines: Iterable[str], make: MakeList, threads: int = 0, constraints: LineConstraints = None
    ) -> Iterator[KBest]:
        """A list of translations of each line of raw text, as words for `restore`.

        Args:
            lines: of raw text.
            make: makes a list: see `choice`.
            threads: 0: all cores.
            constraints: as for `translate`.
        """
        pairs = (
            ((line, ()) for line in lines) if constraints is None else zip(lines, constraints, strict=True)
        )
        jobs = (self.words_of(line, spans) for line, spans in pairs)
        return self.decoder.lists(jobs, make, threads=threads)

    def decode_text(self, line: str, constraints: Sequence[SpanConstraint] = ()) -> Hypergraph:
        """The derivations of a line of raw text, under constraints on spans of its characters."""
        words, spans = self.words_of(line, constraints)
        return self.decoder.decode(words, constraints=spans)

    def words_of(
        self, line: str, constraints: Sequence[SpanConstraint] = ()
    ) -> tuple[list[str], list[SpanConstraint]]:
        """The words of a line of raw text, and the constraints on them.

        A sentence that was corrected has its correction as a constraint on all of its words: rules of a correction alone seldom put the whole
        sentence together again. Not if there are other constraints on it.
        """
        words, spans = constrained_words(line, constraints, self.preprocessor)
        if not spans and (correction := self.correction_of(words)):
            spans = [SpanConstraint(0, len(words), correction)]
        return words, spans

    def correction_of(self, words: Sequence[str]) -> str:
        """The last correction of a sentence, prepared; nothing: there is none, or the model does not use them (`[translate]`)."""
        if not words or not self.options.translate.corrections:
            return ""
        return self.additions.translations.get(" ".join(words), "")

    def restore(self, words: list[str], capital: bool = True, source: str = "") -> str:
        """Words of a translation as text.

        Args:
            words: of the translation.
            capital: they begin a sentence.
            source: raw text that they translate; words that were copied from it keep its capitals.
        """
        return self.preprocessor.restore(words, capital, source)
