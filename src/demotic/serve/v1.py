"""What only Demotic has: k-best lists, derivations, several models of one language pair.

Glossaries, evidence and confidence get routes of their own here as the layers below provide them.
"""

from __future__ import annotations

import html
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from demotic.corpus.sentences import split_sentences
from demotic.report.parts import RuleNode
from demotic.report.readable import readable, readable_word
from demotic.serve.answers import Answer, Refusal
from demotic.serve.service import Service, route
from demotic.serve.translator import Explanation


def v1_routes(service: Service) -> list[Route]:
    """All of them."""
    return [
        route(service, "/v1/models", "GET", _models),
        route(service, "/v1/translate", "POST", _translate),
        route(service, "/v1/explain", "POST", _explain),
        route(service, "/v1/sentences", "POST", _sentences),
    ]


async def _models(service: Service, request: Request) -> Response:
    return Answer(
        [
            {
                "name": each.name,
                "source": each.source,
                "target": each.target,
                "features": len(each.model.weights),
            }
            for each in service.models.by_name.values()
        ]
    )


async def _translate(service: Service, request: Request) -> Response:
    """Lines are sentences: none is split."""
    asked = await service.asked(request)
    lines = asked.fields.lines("lines")
    k = asked.fields.number("kbest", 1, service.options.max_kbest, 1)
    if len(lines) > service.options.max_lines:
        raise Refusal(
            400,
            f"a request may have at most {service.options.max_lines} lines (got {len(lines)})",
            hint="send fewer, or use `demotic translate`",
        )
    translator = service.models.named(asked.fields.text("model", ""))
    found = await translator.kbest(lines, k, asked.record)
    service.metrics.sentences += len(lines)
    service.metrics.words += asked.record.words
    return Answer({"translations": [[asdict(each) for each in kbest] for kbest in found]})


async def _explain(service: Service, request: Request) -> Response:
    asked = await service.asked(request)
    translator = service.models.named(asked.fields.text("model", ""))
    found = await translator.explain(asked.fields.text("line"), asked.record)
    service.metrics.sentences += 1
    service.metrics.words += asked.record.words
    return Answer(
        {
            **asdict(found.best),
            "words": _placed(found),
            "rules": _rules(found),
        }
    )


async def _sentences(service: Service, request: Request) -> Response:
    """The sentences of a text, line by line, as `/translate` splits it."""
    asked = await service.asked(request)
    translator = service.models.named(asked.fields.text("model", ""))
    text = asked.fields.text("text")
    lines = [
        [sentence.strip() for sentence, _ in split_sentences(line, translator.source) if sentence.strip()]
        for line in text.split("\n")
    ]
    return Answer({"lines": lines})


def _placed(found: Explanation) -> list[dict[str, Any]]:
    """Where each word lies in the text, as far as it can be found there, and its rule."""
    text, place, result = found.best.text, 0, []
    lower = text.lower() if len(text.lower()) == len(text) else text
    for word, rule in zip(found.words, found.rules, strict=True):
        shown = html.unescape(word)
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
            "children": [add(child) for child in node.children],
        }
        return number

    add(found.derivation)
    return rules


def _gap_or_word(symbol: str) -> str | int:
    """A symbol of a rule as derivations show it: words, and the numbers of gaps."""
    return int(symbol[3]) if symbol in ("[X,1]", "[X,2]") else readable_word(symbol)
