"""The web application: routes behind a guard. Needs the extra `serve`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from demotic.base.files import Pathish
from demotic.base.options import unknown_name
from demotic.decode import TranslationModel
from demotic.decode.glossary import Glossary
from demotic.serve.answers import Refusal
from demotic.serve.detector import Detector
from demotic.serve.guard import Guard
from demotic.serve.libretranslate import libretranslate_routes
from demotic.serve.models import Models
from demotic.serve.operations import operation_routes
from demotic.serve.options import ServeOptions
from demotic.serve.service import Service
from demotic.serve.translator import Translator
from demotic.serve.v1 import v1_routes
from demotic.serve.workbench import workbench_routes
from demotic.serve.workers import Workers


def load_service(
    folders: Sequence[Pathish],
    options: ServeOptions | None = None,
    threads: int = 0,
    open_model: Callable[[Pathish], TranslationModel] = TranslationModel,
    glossaries: Mapping[str, Glossary] | None = None,
) -> Service:
    """Models in use, with nothing around them yet: set keys, hosts and suggestions as you need them.

    Args:
        folders: of the models, the first of a language pair is the one that clients get.
        options: bounds.
        threads: that decode; 0: one for each core.
        open_model: of a folder; `LearningModel` if suggestions are to be learnt.
        glossaries: terms that a model must use, by its name.

    Raises:
        DemoticError: for a glossary of a model that is not served.
    """
    options = options or ServeOptions()
    workers = Workers(threads)
    models = Models(Translator(open_model(folder), workers, options) for folder in folders)
    for name, glossary in (glossaries or {}).items():
        if name not in models.by_name:
            raise unknown_name("model", name, list(models.by_name))
        models.by_name[name].glossary = glossary
    return Service(models, workers, Detector.of_models(models), options)


def all_routes(service: Service) -> list[Route]:
    """Whatever can be asked for."""
    return [
        *workbench_routes(service),
        *libretranslate_routes(service),
        *v1_routes(service),
        *operation_routes(service),
    ]


def make_app(service: Service) -> Guard:
    """The application, for uvicorn or any other server that speaks ASGI."""
    app = Starlette(
        routes=all_routes(service),
        exception_handlers={Refusal: _refusal, HTTPException: _http_error, Exception: _failure},
    )
    return Guard(app, service.options, service.hosts, service.metrics, service.log)


async def _refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return error.answer()


async def _http_error(request: Request, error: Exception) -> Response:
    """No such path, or no such method there."""
    assert isinstance(error, HTTPException)
    answer = Refusal(error.status_code, error.detail).answer()
    answer.headers.update(error.headers or {})
    return answer


async def _failure(request: Request, error: Exception) -> Response:
    """An error of ours; the guard logs where it happened."""
    return Refusal(500, "an error of the service").answer()
