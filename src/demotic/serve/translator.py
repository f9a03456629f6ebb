"""One model behind the service: sentences of raw text to translations, within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from demotic.decode import Derivation, KBest, TranslationModel
from demotic.report.parts import RuleNode
from demotic.report.translating import rule_node
from demotic.serve.answers import Refusal
from demotic.serve.options import ServeOptions
from demotic.serve.request_log import Record
from demotic.serve.workers import Workers

_ALTERNATIVES = 8  # shown of a rule


@dataclass(frozen=True)
class Hypothesis:
    """A translation as text, and its score under the model."""

    text: str
    score: float


@dataclass(frozen=True)
class Alternative:
    """A target side of a rule, and how often the training text has it, among the occurrences that were looked at."""

    target: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class Explanation:
    """The best translation of a sentence and how it came about.

    Attributes:
        best: the translation.
        words: its words, as the model has them.
        rules: for each word the rule that wrote it: a number in the derivation, counted from the top down.
        derivation: the tree.
        alternatives: for each rule, in the same order, what else its source side was translated to, the most frequent first.
    """

    best: Hypothesis
    words: Sequence[str]
    rules: Sequence[int]
    derivation: RuleNode
    alternatives: Sequence[Sequence[Alternative]]


class Translator:
    """Translates sentences with one model. Translating leaves the model as it is, so all requests run side by side.

    All of the model is loaded at once: what happens to its folder later changes nothing here.

    Args:
        model: decodes.
        workers: its threads; shared by all models.
        options: bounds.
        name: of the model, for clients that choose one.
    """

    def __init__(
        self, model: TranslationModel, workers: Workers, options: ServeOptions | None = None, name: str = ""
    ) -> None:
        self.model = model
        self.workers = workers
        self.options = options or ServeOptions()
        self.name = name or model.folder.resolve().name
        languages = model.preprocessor.options
        self.source, self.target = languages.source_language, languages.target_language
        # Tokenisers are made when first used: now, and by one thread.
        model.restore(model.decoder.decode(model.preprocessor.words("a", "source")).viterbi().sentence(0))

    async def kbest(
        self, sentences: Sequence[str], k: int, record: Record | None = None
    ) -> list[list[Hypothesis]]:
        """The k best different translations of each sentence; one without words is its own.

        Args:
            sentences: raw text.
            k: how many.
            record: of the request, for what was done.

        Raises:
            Refusal: if more is asked for than the bounds allow.
        """
        words = await self._words(sentences, record)
        return await self.workers.map(partial(self._kbest, k), list(zip(sentences, words, strict=True)))

    async def explain(self, sentence: str, record: Record | None = None) -> Explanation:
        """The best translation of a sentence and its derivation."""
        (words,) = await self._words([sentence], record)
        if not words:
            raise Refusal(400, "there are no words to translate")
        return await self.workers.run(self._explain, words)

    async def _words(self, sentences: Sequence[str], record: Record | None) -> list[list[str]]:
        """All sentences tokenised, by one thread: that is short, and nothing is decoded before all are known to be short enough."""
        for number, sentence in enumerate(sentences, start=1):
            if len(sentence) > self.options.max_characters:
                raise _too_long(number, len(sentence), self.options.max_characters, "characters")
        words = await self.workers.run(self._tokenized, sentences)
        if record is not None:
            record.sentences += len(words)
            record.words += sum(map(len, words))
        return words

    def _tokenized(self, sentences: Sequence[str]) -> list[list[str]]:
        result, total = [], 0
        for number, sentence in enumerate(sentences, start=1):
            words = self.model.preprocessor.words(sentence, "source")
            total += len(words)
            if len(words) > self.options.max_words:
                raise _too_long(number, len(words), self.options.max_words, "words")
            if total > self.options.max_request_words:
                raise Refusal(
                    400,
                    f"a request may have at most {self.options.max_request_words} words",
                    hint="send less text at once",
                )
            result.append(words)
        return result

    def _kbest(self, k: int, item: tuple[str, list[str]]) -> list[Hypothesis]:
        sentence, words = item
        if not words:
            return [Hypothesis(sentence, 0.0)]
        found = self.model.decoder.decode(words).kbest(k, unique=True)
        return [self._hypothesis(found, i) for i in range(len(found))]

    def _explain(self, words: list[str]) -> Explanation:
        graph = self.model.decoder.decode(words)
        best = graph.viterbi()
        derivation = graph.derivation(best)
        return Explanation(
            self._hypothesis(best, 0),
            best.sentence(0),
            derivation.word_rules(),
            rule_node(derivation, graph, self.model.weights),
            self._alternatives(words, derivation),
        )

    def _alternatives(self, words: list[str], derivation: Derivation) -> list[list[Alternative]]:
        grammar = self.model.index.grammar(words)
        by_source: dict[tuple[str, ...], list[Alternative]] = {}
        for (source, target, _, _), count in zip(
            grammar.native.rules(), grammar.counts.count_fe.tolist(), strict=True
        ):
            by_source.setdefault(source, []).append(Alternative(target, round(count)))
        for each in by_source.values():
            each.sort(key=lambda alternative: (-alternative.count, alternative.target))
        sources = [tuple(map(_symbol, rule.source)) for rule in derivation.rules()]
        return [by_source.get(source, [])[:_ALTERNATIVES] for source in sources]

    def _hypothesis(self, found: KBest, i: int) -> Hypothesis:
        return Hypothesis(self.model.restore(found.sentence(i)), float(found.scores[i]))


def _symbol(symbol: str | int) -> str:
    """A symbol of a derivation as grammars write it."""
    return symbol if isinstance(symbol, str) else f"[X,{symbol}]"


def _too_long(number: int, length: int, most: int, unit: str) -> Refusal:
    return Refusal(
        400,
        f"sentence {number} has {length} {unit}, more than {most}",
        hint="end sentences with full stops, or put them on lines of their own",
    )
