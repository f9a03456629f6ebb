"""How a translation came about: the rule of each word, what else the training text has for it, and the pairs that it is from."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from demotic.adapt.evidence import Example, FeatureDifference, RuleExamples, Span, differences
from demotic.decode import Derivation, Hypergraph, KBest, TranslationModel
from demotic.report.parts import RuleNode
from demotic.report.readable import readable, readable_word
from demotic.report.translating import rule_node
from demotic.serve.translator import Hypothesis, Sentence, hypothesis

_ALTERNATIVES = 8  # shown of a rule
_DIFFERENCES = 12  # features shown of a translation that lost


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
        runners_up: other translations, and the features by which they lost, the weightiest first.
    """

    best: Hypothesis
    words: Sequence[str]
    rules: Sequence[int]
    derivation: RuleNode
    alternatives: Sequence[Sequence[Alternative]]
    runners_up: Sequence[tuple[Hypothesis, Sequence[FeatureDifference]]]

    def to_json(self) -> dict[str, Any]:
        """As plain values, with words as people write them."""
        return {
            **asdict(self.best),
            "words": _placed(self),
            "rules": _rules(self),
            "runners_up": [
                {**asdict(other), "differences": [_difference(each) for each in lost[:_DIFFERENCES]]}
                for other, lost in self.runners_up
            ],
        }


def explanation(
    model: TranslationModel, sentence: Sentence, examples: int = 0, runners_up: int = 0
) -> Explanation:
    """Translate a sentence and show how.

    Args:
        model: that translates.
        sentence: with words.
        examples: training pairs shown for each rule, at most.
        runners_up: other translations shown, at most.
    """
    graph = model.decoder.decode(sentence.words, constraints=sentence.spans)
    found = graph.kbest(runners_up + 1, unique=True)
    derivation = graph.derivation(found)
    corpus = RuleExamples(model, examples) if examples else None
    return Explanation(
        hypothesis(model, found, 0, sentence.text),
        found.sentence(0),
        derivation.word_rules(),
        rule_node(derivation, graph, model.weights, corpus),
        _alternatives(model, graph, derivation),
        _runners_up(model, found, sentence.text),
    )


def _alternatives(
    model: TranslationModel, graph: Hypergraph, derivation: Derivation
) -> list[list[Alternative]]:
    grammar = model.index.grammar(graph.sentence)
    by_source: dict[tuple[str, ...], list[Alternative]] = {}
    for (source, target, _, _), count in zip(
        grammar.native.rules(), grammar.counts.count_fe.tolist(), strict=True
    ):
        by_source.setdefault(source, []).append(Alternative(target, round(count)))
    for each in by_source.values():
        each.sort(key=lambda alternative: (-alternative.count, alternative.target))
    sources = [tuple(map(_symbol, rule.source)) for rule in derivation.rules()]
    return [by_source.get(source, [])[:_ALTERNATIVES] for source in sources]


def _runners_up(
    model: TranslationModel, found: KBest, source: str
) -> list[tuple[Hypothesis, Sequence[FeatureDifference]]]:
    return [
        (hypothesis(model, found, i, source), differences(found, 0, i, model.weights))
        for i in range(1, len(found))
    ]


def _symbol(symbol: str | int) -> str:
    """A symbol of a derivation as grammars write it."""
    return symbol if isinstance(symbol, str) else f"[X,{symbol}]"


def _placed(found: Explanation) -> list[dict[str, Any]]:
    """Where each word lies in the text, as far as it can be found there, and its rule."""
    text, place, result = found.best.text, 0, []
    lower = text.lower() if len(text.lower()) == len(text) else text
    for word, rule in zip(found.words, found.rules, strict=True):
        shown = str(readable_word(word))
        begin = lower.find(shown.lower(), place)
        if begin >= 0:
            place = begin + len(shown)
            result.append({"begin": begin, "end": place, "rule": rule})
        else:
            result.append({"begin": place, "end": place, "rule": rule})
    return result


def _rules(found: Explanation) -> list[dict[str, Any]]:
    """The rules of the derivation from the top down, each with the numbers of those in its gaps."""
    rules: list[dict[str, Any]] = []

    def add(node: RuleNode) -> int:
        number = len(rules)
        rules.append({})
        rules[number] = {
            "kind": node.kind,
            "source": [readable_word(symbol) for symbol in node.source],
            "target": [readable_word(symbol) for symbol in node.target],
            "span": [readable_word(word) for word in node.span],
            "score": node.score,
            "features": [
                {"name": readable(part.name), "value": part.value, "weight": part.weight}
                for part in node.features
            ],
            "alternatives": [
                {"target": [_gap_or_word(symbol) for symbol in each.target], "count": each.count}
                for each in found.alternatives[number]
            ],
            "places": node.places,
            "examples": [_example(each) for each in node.examples],
            "children": [add(child) for child in node.children],
        }
        return number

    add(found.derivation)
    return rules


def _gap_or_word(symbol: str) -> str | int:
    """A symbol of a rule as derivations show it: words, and the numbers of gaps."""
    return int(symbol[3]) if symbol in ("[X,1]", "[X,2]") else readable_word(symbol)


def _example(example: Example) -> dict[str, Any]:
    """A training pair: its words, each with what it is of the rule."""
    gaps = list(zip(*example.gaps, strict=True)) if example.gaps else [(), ()]
    return {
        "line": example.line,
        "source": _parts(example.source, example.source_span, gaps[0]),
        "target": _parts(example.target, example.target_span, gaps[1]),
    }


def _parts(words: Sequence[str], span: Span, gaps: Sequence[Span]) -> list[dict[str, str]]:
    """Stretches of a side: `rule`, `gap` for what fills a nonterminal, and `context` around them."""
    stretches: list[tuple[str, list[str]]] = []
    for i, word in enumerate(words):
        inside = span[0] <= i < span[1]
        is_gap = any(begin <= i < end for begin, end in gaps)
        part = "gap" if is_gap else "rule" if inside else "context"
        begins = any(begin == i for begin, _ in gaps)
        if not stretches or stretches[-1][0] != part or begins:
            stretches.append((part, []))
        stretches[-1][1].append(html.unescape(word))
    return [{"part": part, "text": " ".join(text)} for part, text in stretches]


def _difference(each: FeatureDifference) -> dict[str, Any]:
    return {**asdict(each), "name": readable(each.name), "advantage": each.advantage}
