"""What only Demotic has: k-best lists, confidence, glossaries, derivations with their evidence, several models of one language pair."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from demotic.adapt.contrasting import contrast
from demotic.corpus.sentences import split_sentences
from demotic.decode import TranslationModel
from demotic.decode.glossary import Glossary
from demotic.report.readable import readable
from demotic.serve.answers import Answer, Refusal
from demotic.serve.explaining import explanation
from demotic.serve.fields import Fields
from demotic.serve.files import translate_file
from demotic.serve.service import Service, route
from demotic.serve.translator import Sentence, Translator, Wanted, parsed_glossary

_EXAMPLES = 10  # training pairs for a rule, at most
_CONTRAST_LIST = 200  # translations in which each of two models looks for the other's
_CONTRASTED = 12  # features


def v1_routes(service: Service) -> list[Route]:
    """All of them."""
    return [
        route(service, "/v1/models", "GET", _models),
        route(service, "/v1/translate", "POST", _translate),
        route(service, "/v1/explain", "POST", _explain),
        route(service, "/v1/contrast", "POST", _contrast),
        route(service, "/v1/sentences", "POST", _sentences),
        route(service, "/v1/file", "POST", _file),
    ]


async def _models(service: Service, request: Request) -> Response:
    return Answer([_model(each) for each in service.models.by_name.values()])


def _model(translator: Translator) -> dict[str, Any]:
    known = translator.confidence
    return {
        "name": translator.name,
        "source": translator.source,
        "target": translator.target,
        "features": len(translator.model.weights),
        "additions": len(translator.model.additions.pairs),
        "terms": len(translator.glossary) if translator.glossary else 0,
        "confidence": known.to_json() if known else None,
    }


async def _translate(service: Service, request: Request) -> Response:
    """Lines are sentences: none is split."""
    asked = await service.asked(request)
    lines = asked.fields.lines("lines")
    if len(lines) > service.options.max_lines:
        raise Refusal(
            400,
            f"a request may have at most {service.options.max_lines} lines (got {len(lines)})",
            hint="send fewer, or use `demotic translate`",
        )
    translator = _named(service, asked.fields)
    wanted = Wanted(
        asked.fields.number("kbest", 1, service.options.max_kbest, 1),
        asked.fields.flag("confidence"),
        await _glossary(service, asked.fields),
    )
    found = await translator.translate(lines, wanted, asked.record)
    service.metrics.count(len(lines), asked.record.words)
    answer: dict[str, Any] = {"translations": [[asdict(one) for one in each.hypotheses] for each in found]}
    if wanted.confidence:
        answer["confidence"] = [each.confidence for each in found]
    if wanted.glossary is not None or translator.glossary is not None:
        answer["unmet"] = [list(each.unmet) for each in found]
    return Answer(answer)


async def _explain(service: Service, request: Request) -> Response:
    asked = await service.asked(request)
    look = partial(
        explanation,
        examples=asked.fields.number("examples", 3, _EXAMPLES),
        runners_up=asked.fields.number("runners_up", 3, service.options.max_kbest - 1),
    )
    glossary = await _glossary(service, asked.fields)
    line = asked.fields.text("line")
    found = await _named(service, asked.fields).look(line, look, glossary, asked.record)
    service.metrics.count(1, asked.record.words)
    return Answer(found.to_json())


async def _contrast(service: Service, request: Request) -> Response:
    """Why two models translate a sentence differently."""
    asked = await service.asked(request)
    first, second = _named(service, asked.fields), _named(service, asked.fields, "other")
    if (first.source, first.target) != (second.source, second.target):
        raise Refusal(400, "the two models have different languages")

    def look(model: TranslationModel, sentence: Sentence) -> dict[str, Any]:
        found = contrast(model, second.model, sentence.text, sentence.constraints, _CONTRAST_LIST)
        return {
            "agree": found.agree,
            "first": {"text": found.first.translation, "rank_of_other": found.first.rank_of_other},
            "second": {"text": found.second.translation, "rank_of_other": found.second.rank_of_other},
            "features": [
                {**asdict(each), "name": readable(each.name), "change": each.change}
                for each in found.features[:_CONTRASTED]
            ],
        }

    glossary = await _glossary(service, asked.fields)
    answer = await first.look(asked.fields.text("line"), look, glossary, asked.record)
    service.metrics.count(1, asked.record.words)
    return Answer(answer)


async def _sentences(service: Service, request: Request) -> Response:
    """The sentences of a text, line by line, as `/translate` splits it."""
    asked = await service.asked(request)
    translator = _named(service, asked.fields)
    text = asked.fields.text("text")
    lines = [
        [sentence.strip() for sentence, _ in split_sentences(line, translator.source) if sentence.strip()]
        for line in text.split("\n")
    ]
    return Answer({"lines": lines})


async def _file(service: Service, request: Request) -> Response:
    """A file as text, by its format; the answer has the same file with translations."""
    asked = await service.asked(request)
    percent = asked.fields.number("review", 0, 100)
    wanted = Wanted(confidence=percent > 0, glossary=await _glossary(service, asked.fields))
    name, content = asked.fields.text("name"), asked.fields.text("content")
    translator = _named(service, asked.fields)
    found = await translate_file(translator, name, content, wanted, percent / 100, asked.record)
    service.metrics.count(asked.record.sentences, asked.record.words)
    return Answer(asdict(found))


def _named(service: Service, fields: Fields, field: str = "model") -> Translator:
    return service.models.named(fields.text(field, ""))


async def _glossary(service: Service, fields: Fields) -> Glossary | None:
    """The terms that a request brings, read by a thread that decodes: there may be thousands."""
    return await service.workers.run(parsed_glossary, fields.text("glossary", ""))
