"""Why a translation is as it is: the training pairs behind its rules, and what the next best translations lost by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from demotic.adapt.training_lines import line_of, training_lines
from demotic.base.checks import at_least
from demotic.base.errors import DemoticError
from demotic.corpus.verbatim import shown
from demotic.decode import (
    Derivation,
    FeaturePart,
    Hypergraph,
    KBest,
    SpanConstraint,
    TranslationModel,
    feature_parts,
)
from demotic.features import Weights
from demotic.grammar import GrammarIndex

Span = tuple[int, int]


@dataclass(frozen=True)
class Example:
    """A training pair that a rule was extracted from, and where in it the rule stands. Spans are half-open, in words."""

    pair: int  # number in the index, from 0
    line: int  # of the training text, from 1; see `line_of`
    source: tuple[str, ...]
    target: tuple[str, ...]
    source_span: Span
    target_span: Span
    gaps: tuple[tuple[Span, Span], ...]  # source and target span of what fills each nonterminal
    links: tuple[tuple[int, int], ...]  # word alignment of the pair


@dataclass(frozen=True)
class RuleEvidence:
    """A rule of a derivation, what it adds to the score, and where it comes from."""

    kind: str  # translation, pass-through, forced
    source: tuple[str | int, ...]  # words, and nonterminals as 1 and 2
    target: tuple[str | int, ...]
    span: Span  # of the sentence
    score: float
    features: tuple[FeaturePart, ...]
    count: int  # occurrences in the training pairs that gave this rule; a sample where there are many
    examples: tuple[Example, ...]  # the first of them


@dataclass(frozen=True)
class FeatureDifference:
    """A feature in which two translations differ."""

    name: str
    chosen: float  # value in the translation that won
    other: float
    weight: float

    @property
    def advantage(self) -> float:
        """What it gives to the translation that won; negative: it spoke for the other one."""
        return (self.chosen - self.other) * self.weight


@dataclass(frozen=True)
class RunnerUp:
    """A translation that lost, and the features that decided, the weightiest first. Their advantages add up to the gap."""

    text: str
    score: float
    differences: tuple[FeatureDifference, ...]


@dataclass(frozen=True)
class Evidence:
    """A translation, its rules from left to right, and its runners-up."""

    source: tuple[str, ...]
    text: str
    score: float
    rules: tuple[RuleEvidence, ...]
    runners_up: tuple[RunnerUp, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def evidence_of(
    model: TranslationModel,
    line: str,
    constraints: Sequence[SpanConstraint] = (),
    examples: int = 3,
    runners_up: int = 3,
) -> Evidence:
    """Translate a line of raw text and show what the translation rests on.

    Args:
        model: a trained model.
        line: raw text.
        constraints: on spans of its characters.
        examples: training pairs for each rule, at most.
        runners_up: different translations, at most.

    Raises:
        DemoticError: if the line has no words.
    """
    at_least(0, examples=examples, runners_up=runners_up)
    graph = model.decode_text(line, constraints)
    if not graph.sentence:
        raise DemoticError("the line is empty: there is nothing to explain")
    kbest = graph.kbest(runners_up + 1, unique=True)
    corpus = RuleExamples(model, examples)
    rules = [
        rule
        for rule in graph.derivation(kbest).rules()
        if rule.kind in ("translation", "pass-through", "forced")
    ]
    return Evidence(
        tuple(graph.sentence),
        model.restore(kbest.sentence(0), source=line),
        float(kbest.scores[0]),
        tuple(
            _rule(rule, graph, model.weights, corpus)
            for rule in sorted(rules, key=lambda rule: (rule.begin, -rule.end))
        ),
        tuple(
            RunnerUp(
                model.restore(kbest.sentence(i), source=line),
                float(kbest.scores[i]),
                differences(kbest, 0, i, model.weights),
            )
            for i in range(1, len(kbest))
        ),
    )


class RuleExamples:
    """Finds the training pairs behind rules.

    Args:
        model: whose index is searched.
        most: examples for each rule.
    """

    def __init__(self, model: TranslationModel, most: int) -> None:
        self._model = model
        self._most = most

    def of(self, source: Sequence[str | int], target: Sequence[str | int]) -> tuple[int, tuple[Example, ...]]:
        """How many places gave a rule, and the first of them, each from another pair."""
        index = self._model.index
        found = index.examples(source, target)
        first_of_pair = {place[0]: place for place in reversed(found)}
        pairs = sorted(first_of_pair)[: self._most]
        return len(found), tuple(self._example(index, *first_of_pair[pair]) for pair in pairs)

    def _example(
        self, index: GrammarIndex, pair: int, source: Span, target: Span, gaps: Iterable[tuple[Span, Span]]
    ) -> Example:
        words = tuple(index.source(pair)), tuple(index.target(pair))
        return Example(
            pair, line_of(pair, self._lines), *words, source, target, tuple(gaps), tuple(index.links(pair))
        )

    @cached_property
    def _lines(self) -> list[int]:
        return training_lines(self._model)


def _rule(rule: Derivation, graph: Hypergraph, weights: Weights, corpus: RuleExamples) -> RuleEvidence:
    count, examples = corpus.of(rule.source, rule.target) if rule.kind == "translation" else (0, ())
    target = tuple(shown(symbol) if isinstance(symbol, str) else symbol for symbol in rule.target)
    features = tuple(feature_parts(rule, graph, weights))
    return RuleEvidence(
        rule.kind, rule.source, target, (rule.begin, rule.end), rule.score, features, count, examples
    )


def features_of(kbest: KBest, i: int) -> dict[str, float]:
    """Features of hypothesis i by name."""
    ids, values = kbest.row(i)
    return {kbest.index.name(id_): value for id_, value in zip(ids.tolist(), values.tolist(), strict=True)}


def differences(kbest: KBest, chosen: int, other: int, weights: Weights) -> tuple[FeatureDifference, ...]:
    """The features with a weight in which two hypotheses of a list differ, the weightiest first."""
    return feature_differences(features_of(kbest, chosen), features_of(kbest, other), weights)


def feature_differences(
    chosen: Mapping[str, float], other: Mapping[str, float], weights: Weights
) -> tuple[FeatureDifference, ...]:
    """The same for features by name."""
    found = [
        FeatureDifference(name, chosen.get(name, 0.0), other.get(name, 0.0), weights.get(name))
        for name in sorted({*chosen, *other})
    ]
    return tuple(
        sorted((each for each in found if each.advantage), key=lambda each: (-abs(each.advantage), each.name))
    )
