"""The workbench: a page in the browser, its script and its style, all of them in the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

import demotic
from demotic.corpus.formats import FORMATS
from demotic.report.templating import render
from demotic.serve.answers import Refusal
from demotic.serve.languages import language_name
from demotic.serve.service import Service, route

_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
_KINDS = {"workbench.js": "text/javascript", "panels.js": "text/javascript", "workbench.css": "text/css"}


def workbench_routes(service: Service) -> list[Route]:
    """The page and its files."""
    return [
        route(service, "/", "GET", _page),
        route(service, "/assets/{name}", "GET", _asset),
    ]


async def _page(service: Service, request: Request) -> Response:
    models = [
        {
            "name": each.name,
            "source": each.source,
            "target": each.target,
            "calibrated": each.confidence is not None,
            "title": f"{language_name(each.source)} to {language_name(each.target)} ({each.name})",
        }
        for each in service.models.by_name.values()
    ]
    page = render(
        "workbench.html",
        package="demotic.serve",
        models=models,
        keys=service.keys.required,
        suggestions=service.suggestions.enabled,
        formats=",".join(FORMATS),
        most=service.options.max_lines,
        version=demotic.__version__,
    )
    return HTMLResponse(page, headers={**_HEADERS, "content-security-policy": _POLICY})


async def _asset(service: Service, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _KINDS:
        raise Refusal(404, "Not Found")
    return Response(_read(name), media_type=_KINDS[name], headers={**_HEADERS, "cache-control": "no-cache"})


@cache
def _read(name: str) -> str:
    return (files("demotic.serve") / "assets" / name).read_text("utf-8")
