"""The web application: `/` is the page, `/translate` takes and gives JSON. Needs the extra `serve`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any
from urllib.parse import parse_qs

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel

import demotic
from demotic.base.errors import DemoticError
from demotic.serve.page import render_page
from demotic.serve.translator import Translator

_MOST_BYTES = 200_000  # of a request: more than the longest text that is translated


class TranslateRequest(BaseModel):
    """What `/translate` takes."""

    lines: list[str]
    kbest: int = 1


def make_app(translator: Translator) -> FastAPI:
    """The application, for uvicorn or any other server that speaks ASGI."""
    app = FastAPI(title="Demotic", version=demotic.__version__, docs_url=None, redoc_url=None)

    @app.get("/", response_class=HTMLResponse)
    def form() -> str:
        return render_page(translator)

    @app.post("/", response_class=HTMLResponse)
    async def translations(request: Request) -> str:
        fields = parse_qs((await request.body()).decode("utf-8", errors="replace"))
        return await run_in_threadpool(render_page, translator, fields.get("text", [""])[0])

    @app.post("/translate")
    def translate(wanted: TranslateRequest) -> dict[str, Any]:
        found = translator.kbest(wanted.lines, wanted.kbest)
        return {"translations": [[asdict(each) for each in kbest] for kbest in found]}

    @app.exception_handler(DemoticError)
    def explain(request: Request, error: DemoticError) -> JSONResponse:
        return JSONResponse({"error": error.message, "hint": error.hint}, status_code=400)

    @app.middleware("http")
    async def bounded(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        length = request.headers.get("content-length", "")
        if request.method == "POST" and not (length.isdecimal() and int(length) <= _MOST_BYTES):
            return JSONResponse(
                {"error": "the request is too large, or does not say how large it is"}, status_code=413
            )
        return await answer(request)

    return app
