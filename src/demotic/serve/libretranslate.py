"""LibreTranslate's HTTP interface, as its clients use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from demotic.serve.answers import Answer, Refusal
from demotic.serve.documents import Format
from demotic.serve.languages import known_code, language_name
from demotic.serve.service import Service, route

_AUTO = "auto"


def libretranslate_routes(service: Service) -> list[Route]:
    """All of them."""
    return [
        route(service, "/translate", "POST", _translate),
        route(service, "/detect", "POST", _detect),
        route(service, "/suggest", "POST", _suggest),
        route(service, "/languages", "GET", _languages),
        route(service, "/frontend/settings", "GET", _settings),
    ]


async def _translate(service: Service, request: Request) -> Response:
    asked = await service.asked(request)
    fields = asked.fields
    q = fields.texts("q")
    source, target = fields.text("source"), fields.text("target")
    format = fields.text("format", "text") or "text"
    if format not in ("text", "html"):
        raise Refusal(400, f"{format[:20]} format is not supported")
    alternatives = fields.number("alternatives", 0, service.options.max_kbest - 1)
    texts = [q] if isinstance(q, str) else q
    if len(texts) > service.options.max_lines:
        raise Refusal(
            400, f"Invalid request: request ({len(texts)}) exceeds text limit ({service.options.max_lines})"
        )
    detected = None
    if source == _AUTO:
        detected = _detected(service, " ".join(texts), target)
        source = detected["language"]
    translator = service.models.for_pair(source, target)
    found = await service.translate(translator, texts, cast(Format, format), alternatives + 1, asked.record)
    best = [each[0] for each in found]
    others = [each[1 : alternatives + 1] for each in found]
    is_one = isinstance(q, str)
    answer: dict[str, Any] = {"translatedText": best[0] if is_one else best}
    if detected is not None:
        answer["detectedLanguage"] = detected if is_one else [detected] * len(texts)
    if alternatives:
        answer["alternatives"] = others[0] if is_one else others
    return Answer(answer)


def _detected(service: Service, text: str, target: str) -> Mapping[str, Any]:
    """The most probable of the languages that can be translated to the target; the first of them for a text without words."""
    to = known_code(target, service.models.codes)
    sources = [source for source, other in service.models.by_pair if other == to]
    if not sources:
        return {"confidence": 0.0, "language": _AUTO}  # which is no language: the target is refused
    found = service.detector.detect(text, sources)
    return _detection(*found[0]) if found else {"confidence": 0.0, "language": sources[0]}


def _detection(language: str, probability: float) -> dict[str, Any]:
    return {"confidence": round(100 * probability, 1), "language": language}


async def _detect(service: Service, request: Request) -> Response:
    asked = await service.asked(request)
    found = service.detector.detect(asked.fields.text("q"))
    return Answer(
        [_detection(*each) for each in found if each[1] >= 0.01] or [{"confidence": 0.0, "language": "en"}]
    )


async def _suggest(service: Service, request: Request) -> Response:
    asked = await service.asked(request)
    if not service.suggestions.enabled:
        raise Refusal(403, "Suggestions are disabled on this server.")
    fields = asked.fields
    source, suggestion = fields.text("q"), fields.text("s")
    model = fields.text("model", "")
    translator = (
        service.models.named(model)
        if model
        else service.models.for_pair(fields.text("source"), fields.text("target"))
    )
    if max(len(source), len(suggestion)) > service.options.max_characters:
        raise Refusal(400, f"a suggestion may have at most {service.options.max_characters} characters")
    kind = await service.suggestions.add(translator, source, suggestion, asked.client)
    service.metrics.suggestions[kind] += 1
    return Answer({"success": True, "state": kind})


async def _languages(service: Service, request: Request) -> Response:
    return Answer(service.models.languages())


async def _settings(service: Service, request: Request) -> Response:
    first = service.models.first
    return Answer(
        {
            "charLimit": service.options.max_bytes // 4,  # the longest form of a character
            "frontendTimeout": 500,  # milliseconds after the last key before the page asks
            "apiKeys": service.keys.required,
            "keyRequired": service.keys.required,
            "suggestions": service.suggestions.enabled,
            "filesTranslation": False,
            "supportedFilesFormat": [],
            "language": {
                "source": {"code": first.source, "name": language_name(first.source)},
                "target": {"code": first.target, "name": language_name(first.target)},
            },
        }
    )
