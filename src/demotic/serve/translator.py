"""Translations for many readers at once, within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from demotic.base.errors import DemoticError
from demotic.base.parallel import default_threads
from demotic.decode import TranslationModel
from demotic.report.parts import RuleNode
from demotic.report.translating import rule_node


@dataclass(frozen=True)
class ServeOptions:
    """What one request may ask for: nobody can keep the server busy for long."""

    max_lines: int = 50
    max_words: int = 150  # of a line; decoding takes time that is cubic in it
    max_kbest: int = 100


@dataclass(frozen=True)
class Hypothesis:
    """A translation as text, and its score under the model."""

    text: str
    score: float


class Translator:
    """Translates lines of raw text. Translating leaves the model as it is, so the lines of all requests run side by side.

    They share one pool of threads, for as long as the service runs: threads that came and went with each request would each leave
    memory behind, and many requests at once would be many threads.

    Args:
        model: decodes.
        options: bounds.
        threads: that decode; 0: one for each core.
    """

    def __init__(
        self, model: TranslationModel, options: ServeOptions | None = None, threads: int = 0
    ) -> None:
        self.model = model
        self.options = options or ServeOptions()
        self._pool = ThreadPoolExecutor(threads or default_threads(), "decode")
        _ = model.decoder  # loaded before the first request, and by one thread

    def kbest(self, lines: Sequence[str], k: int) -> list[list[Hypothesis]]:
        """The k best different translations of each line.

        Raises:
            DemoticError: if more is asked for than `check` allows.
        """
        self.check(lines, k)
        return list(self._pool.map(partial(self._kbest, k), lines))

    def explain(self, line: str) -> tuple[Hypothesis, RuleNode]:
        """The best translation of a line and how it came about."""
        return self._pool.submit(self._explain, line).result()

    def _kbest(self, k: int, line: str) -> list[Hypothesis]:
        (kbest,) = self.model.kbest([line], k, threads=1)
        return [
            Hypothesis(self.model.restore(words), float(score))
            for words, score in zip(kbest.sentences(), kbest.scores, strict=True)
        ]

    def _explain(self, line: str) -> tuple[Hypothesis, RuleNode]:
        graph = self.model.decoder.decode(self.model.preprocessor.words(line, "source"))
        best = graph.viterbi()
        root = rule_node(graph.derivation(best), graph, self.model.weights)
        return Hypothesis(self.model.restore(best.sentence(0)), float(best.scores[0])), root

    def check(self, lines: Sequence[str], k: int = 1) -> None:
        """Refuse what is too much.

        Raises:
            DemoticError: with what is allowed.
        """
        options = self.options
        if len(lines) > options.max_lines:
            raise DemoticError(
                f"a request may have at most {options.max_lines} lines (got {len(lines)})",
                hint="send fewer, or use `demotic translate`",
            )
        if not 1 <= k <= options.max_kbest:
            raise DemoticError(
                f"kbest must be between 1 and {options.max_kbest} (got {k})",
                hint="ask for fewer translations",
            )
        for number, line in enumerate(lines, start=1):
            if (length := len(line.split())) > options.max_words:
                raise DemoticError(
                    f"line {number} has {length} words, more than {options.max_words}",
                    hint="put one sentence on each line",
                )
