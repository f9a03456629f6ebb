"""One model behind the service: sentences of raw text to translations, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from demotic.adapt.confidence import FILE as CALIBRATION
from demotic.adapt.confidence import Confidence
from demotic.adapt.signals import LIST, SignalReader
from demotic.base.errors import DemoticError
from demotic.decode import KBest, SpanConstraint, TranslationModel
from demotic.decode.documents import DocumentSentence
from demotic.decode.glossary import Glossary
from demotic.decode.protected import protected_spans
from demotic.serve.answers import Refusal
from demotic.serve.options import ServeOptions
from demotic.serve.request_log import Record
from demotic.serve.workers import Workers

R = TypeVar("R")


@dataclass(frozen=True)
class Hypothesis:
    """A translation as text, and its score under the model."""

    text: str
    score: float


@dataclass(frozen=True)
class Translated:
    """What became of a sentence.

    Attributes:
        hypotheses: translations, the best first.
        confidence: probability that the best is good enough; None: not asked for.
        unmet: terms of the glossary that occur and could not be used, with the reason.
    """

    hypotheses: list[Hypothesis]
    confidence: float | None = None
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What a request wants to know of its sentences."""

    kbest: int = 1
    confidence: bool = False
    glossary: Glossary | None = None  # goes before that of the service


@dataclass(frozen=True)
class Sentence:
    """A sentence that is short enough: its words, and what is prescribed for them."""

    text: str
    words: list[str]
    spans: list[SpanConstraint] = field(default_factory=list)  # of words
    constraints: list[SpanConstraint] = field(default_factory=list)  # the same, of characters
    unmet: tuple[str, ...] = ()
    capital: bool = True  # whether its translation begins with a capital

    @property
    def free_words(self) -> list[str]:
        """Words that are translated, not prescribed."""
        inside = {place for span in self.spans for place in range(span.begin, span.end)}
        return [word for place, word in enumerate(self.words) if place not in inside]


Text = str | DocumentSentence
"""Raw text of a sentence: alone, or out of a document, which knows what of it is markup."""


class Translator:
    """Translates sentences with one model. Translating leaves the model as it is, so all requests run side by side.

    All of the model is loaded at once: what happens to its folder later changes nothing here. Tags, addresses and placeholders are copied, as
    `demotic translate` does.

    Args:
        model: decodes.
        workers: its threads; shared by all models.
        options: bounds.
        name: of the model, for clients that choose one.
        glossary: terms that all requests must use.
    """

    def __init__(
        self,
        model: TranslationModel,
        workers: Workers,
        options: ServeOptions | None = None,
        name: str = "",
        glossary: Glossary | None = None,
    ) -> None:
        self.model = model
        self.workers = workers
        self.options = options or ServeOptions()
        self.name = name or model.folder.resolve().name
        self.glossary = glossary
        self.confidence = Confidence.load(model) if model.part(CALIBRATION) else None
        languages = model.preprocessor.options
        self.source, self.target = languages.source_language, languages.target_language
        # Tokenisers are made when first used: now, and by one thread.
        model.restore(model.decoder.decode(model.preprocessor.words("a", "source")).viterbi().sentence(0))

    async def translate(
        self, sentences: Sequence[Text], wanted: Wanted, record: Record | None = None
    ) -> list[Translated]:
        """The best different translations of each sentence; one without words is its own.

        Args:
            sentences: raw text.
            wanted: of each.
            record: of the request, for what was done.

        Raises:
            Refusal: if more is asked for than the bounds allow, or a confidence that the model was not calibrated for.
        """
        if wanted.confidence and self.confidence is None:
            raise Refusal(400, "the model is not calibrated", hint="the operator runs  demotic calibrate")
        prepared = await self._prepared(sentences, wanted.glossary, record)
        return await self.workers.map(partial(self._translated, wanted), prepared)

    async def look(
        self,
        sentence: str,
        function: Callable[[TranslationModel, Sentence], R],
        glossary: Glossary | None = None,
        record: Record | None = None,
    ) -> R:
        """What a function finds out about one sentence, in a thread that decodes.

        Raises:
            Refusal: for a sentence without words, or one that is too long.
        """
        (prepared,) = await self._prepared([sentence], glossary, record)
        if not prepared.words:
            raise Refusal(400, "there are no words to translate")
        return await self.workers.run(function, self.model, prepared)

    async def _prepared(
        self, sentences: Sequence[Text], glossary: Glossary | None, record: Record | None
    ) -> list[Sentence]:
        """All sentences tokenised; nothing is decoded before all are known to be short enough."""
        total = 0
        for number, sentence in enumerate(sentences, start=1):
            length = len(sentence if isinstance(sentence, str) else sentence.text)
            if length > self.options.max_characters:
                raise _too_long(number, length, self.options.max_characters, "characters")
            total += length
        job = (self._tokenized, sentences, glossary)
        # Many terms that begin with one word take long to look for: not those of a request while all others wait.
        found = await (self.workers.prepare(total, *job) if glossary is None else self.workers.run(*job))
        if record is not None:
            record.sentences += len(found)
            record.words += sum(len(each.words) for each in found)
        return found

    def _tokenized(self, sentences: Sequence[Text], glossary: Glossary | None) -> list[Sentence]:
        result, total = [], 0
        for number, each in enumerate(sentences, start=1):
            found = self._constrained(each, glossary)
            total += len(found.words)
            if len(found.words) > self.options.max_words:
                raise _too_long(number, len(found.words), self.options.max_words, "words")
            if total > self.options.max_request_words:
                raise Refusal(
                    400,
                    f"a request may have at most {self.options.max_request_words} words",
                    hint="send less text at once",
                )
            result.append(found)
        return result

    def _constrained(self, sentence: Text, glossary: Glossary | None) -> Sentence:
        """Protected text comes first, then the terms of the request, then those of the service."""
        if isinstance(sentence, str):
            text, constraints, capital = sentence, protected_spans(sentence), True
        else:
            text, constraints, capital = sentence.text, sentence.constraints, not sentence.begins_small
        reasons: list[str] = []
        for terms in (glossary, self.glossary):
            if terms is not None:
                constraints, unmet = terms.constraints(text, constraints)
                reasons += [f"{each.term.source}: {each.reason}" for each in unmet]
        words, spans = self.model.words_of(text, constraints)
        return Sentence(text, words, spans, constraints, tuple(reasons), capital)

    def _translated(self, wanted: Wanted, sentence: Sentence) -> Translated:
        if not sentence.words:
            return Translated([Hypothesis(sentence.text, 0.0)], 1.0 if wanted.confidence else None)
        graph = self.model.decoder.decode(sentence.words, constraints=sentence.spans)
        confidence = None
        if wanted.confidence:  # is that of the best score
            found = graph.kbest(max(wanted.kbest, LIST), unique=True)
            confidence = self._probability(sentence, found)
        else:
            found = self.model.chosen(graph, wanted.kbest)
        best = range(min(wanted.kbest, len(found)))
        hypotheses = [hypothesis(self.model, found, i, sentence.text, sentence.capital) for i in best]
        return Translated(hypotheses, confidence, sentence.unmet)

    def _probability(self, sentence: Sentence, found: KBest) -> float:
        """By the words that the model knows now: it may have learnt some."""
        assert self.confidence is not None
        if self.model.correction_of(sentence.words):
            return 1.0
        return self.confidence.probability(SignalReader(self.model).read(sentence.free_words, found))


def hypothesis(
    model: TranslationModel, found: KBest, i: int, source: str, capital: bool = True
) -> Hypothesis:
    """A translation of a list as text; `source`: raw text that it translates."""
    return Hypothesis(model.restore(found.sentence(i), capital, source), float(found.scores[i]))


def parsed_glossary(text: str) -> Glossary | None:
    """The terms that a request brings; None for a glossary without any.

    Raises:
        Refusal: for a line that is wrong.
    """
    lines = text.splitlines()
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return None
    try:
        return Glossary.parse(lines)
    except DemoticError as error:
        place = f" in line {error.line}" if error.line else ""
        raise Refusal(400, f"glossary{place}: {error.message}", error.hint) from None


def _too_long(number: int, length: int, most: int, unit: str) -> Refusal:
    return Refusal(
        400,
        f"sentence {number} has {length} {unit}, more than {most}",
        hint="end sentences with full stops, or put them on lines of their own",
    )
