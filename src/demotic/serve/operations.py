"""For those who run the service: is it alive, is it ready, what has it done, how is it used."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

import demotic
from demotic.report.templating import render
from demotic.serve.answers import Answer, Refusal
from demotic.serve.service import Service, route


def operation_routes(service: Service) -> list[Route]:
    """All of them."""
    return [
        route(service, "/health", "GET", _health),
        route(service, "/ready", "GET", _ready),
        route(service, "/metrics", "GET", _metrics),
        route(service, "/openapi.json", "GET", _openapi),
        route(service, "/docs", "GET", _docs),
    ]


async def _health(service: Service, request: Request) -> Response:
    return Answer({"status": "ok"})


async def _ready(service: Service, request: Request) -> Response:
    if not service.ready:
        raise Refusal(503, "the service is ending", retry_after=5)
    return Answer({"status": "ready", "models": list(service.models.by_name)})


async def _metrics(service: Service, request: Request) -> Response:
    return PlainTextResponse(service.metrics.text(), media_type="text/plain; version=0.0.4")


async def _openapi(service: Service, request: Request) -> Response:
    return Answer(openapi())


async def _docs(service: Service, request: Request) -> Response:
    page = render("docs.html", package="demotic.serve", document=openapi(), version=demotic.__version__)
    return HTMLResponse(
        page, headers={"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
    )


@cache
def openapi() -> dict[str, Any]:
    """The interface as an OpenAPI document."""
    document: dict[str, Any] = json.loads((files("demotic.serve") / "openapi.json").read_text("utf-8"))
    document["info"]["version"] = demotic.__version__
    return document
