"""Where a model loses BLEU: in search, in ranking, or for want of rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from demotic.adapt.judged_text import JudgedSentence, judge_all, judged_sentences
from demotic.base.checks import at_least
from demotic.base.errors import DemoticError
from demotic.decode import Decoder, TranslationModel
from demotic.evaluate import References, corpus_bleu, oracle, sentence_metric

_ROUNDING = 1e-6  # two searches may add up the same score in another order


@dataclass(frozen=True)
class BudgetOptions:
    """How errors are told apart."""

    pop_limit: int = 2000  # of the larger search
    kbest: int = 100  # length of the list whose best translation is looked for
    beam: int = 30  # of the search for the best translation in a hypergraph
    metric: str = "bleu+1"  # sentence metric of the oracles

    def __post_init__(self) -> None:
        """Check the ranges."""
        at_least(1, pop_limit=self.pop_limit, kbest=self.kbest)
        at_least(0, beam=self.beam)


@dataclass(frozen=True)
class ErrorBudget:
    """BLEU of the model, of better searches and choices, and what each would gain. All on prepared words.

    The parts add up to 100 - `model`: `search` (may be negative, since a better score is not always a better translation), `ranking_list`, `ranking_forest`
    and `missing`, which no choice among the derivations that were found can gain.
    """

    sentences: int
    model: float  # as the model translates
    larger_search: float
    list_oracle: float  # the best of the list, of the larger search
    forest_oracle: float  # the best of the hypergraph, of the larger search
    reachable: float  # share of sentences with a reference in the hypergraph
    search_errors: float  # share of sentences whose larger search found a better score

    @property
    def search(self) -> float:
        """Lost to search."""
        return self.larger_search - self.model

    @property
    def ranking_list(self) -> float:
        """Lost to ranking, within the list."""
        return self.list_oracle - self.larger_search

    @property
    def ranking_forest(self) -> float:
        """Lost to ranking, beyond the list."""
        return self.forest_oracle - self.list_oracle

    @property
    def missing(self) -> float:
        """Lost to rules that are missing, or pruned."""
        return 100.0 - self.forest_oracle

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        parts = {
            name: getattr(self, name) for name in ("search", "ranking_list", "ranking_forest", "missing")
        }
        return {**asdict(self), "lost": parts}


@dataclass(frozen=True)
class _Sentence:
    """Translations of one sentence, each as words."""

    texts: tuple[list[str], list[str], list[str], list[str]]  # model, larger search, list, hypergraph
    found_better: bool
    reachable: bool


def error_budget(
    model: TranslationModel,
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    options: BudgetOptions | None = None,
    threads: int = 0,
) -> ErrorBudget:
    """Translate a test set in several ways and compare.

    Args:
        model: a trained model.
        source: raw text.
        references: one or more raw translations of each line: one sequence per set of references.
        options: how far to look.
        threads: 0: all cores.
    """
    options = options or BudgetOptions()
    if any(len(lines) != len(source) for lines in references) or not references or not source:
        raise DemoticError(
            "the source and every set of references need the same number of lines, at least one"
        )
    sentences = judged_sentences(model, source, references)
    found = judge_all(_judge(model, options), sentences, "diagnose", threads)
    texts = [[each.texts[way] for each in found] for way in range(4)]
    references_of = [References(reference) for _, reference in sentences]
    own, larger, of_list, of_forest = (
        corpus_bleu(translations, references_of).score for translations in texts
    )
    share = 1.0 / len(found)
    return ErrorBudget(
        len(found),
        own,
        larger,
        of_list,
        of_forest,
        reachable=share * sum(each.reachable for each in found),
        search_errors=share * sum(each.found_better for each in found),
    )


def _judge(model: TranslationModel, options: BudgetOptions) -> Callable[[JudgedSentence], _Sentence]:
    usual = model.decoder
    wider = replace(
        usual.options, pop_limit=max(options.pop_limit, usual.options.pop_limit), lazy_corners=0.0
    )
    larger = Decoder(usual.lms, usual.weights, usual.rules, usual.templates, wider, usual.dense, frozen=True)
    metric = sentence_metric(options.metric)

    def judge(sentence: JudgedSentence) -> _Sentence:
        words, texts = sentence
        references = References(texts)
        best = usual.decode(words).viterbi()
        graph = larger.decode(words)
        kbest = graph.kbest(options.kbest, unique=True)
        scores = metric.scores(references, kbest)
        top = max(range(len(kbest)), key=lambda i: (scores[i], -i))
        of_forest = oracle(graph, references, metric, options.beam)
        in_forest = of_forest.sentence(0)
        # The oracle is a beam search: it may miss what the list has.
        if metric.scores(references, of_forest)[0] < scores[top]:
            in_forest = kbest.sentence(top)
        return _Sentence(
            (best.sentence(0), kbest.sentence(0), kbest.sentence(top), in_forest),
            bool(kbest.scores[0] > best.scores[0] + _ROUNDING),
            in_forest in texts,
        )

    return judge
