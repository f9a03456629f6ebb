"""`demotic serve`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.base.extras import need_extra
from demotic.cli.common import Config, Threads, threads

if TYPE_CHECKING:
    from demotic.decode.glossary import Glossary


Models = Annotated[
    list[Path],
    typer.Argument(help="Model folders; the first of each language pair answers for it.", show_default=False),
]
Host = Annotated[
    str, typer.Option("--host", help="Address to listen on; 0.0.0.0 accepts connections from anywhere.")
]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")]
AllowHost = Annotated[
    list[str] | None,
    typer.Option("--allow-host", help="Host name that clients use for this service; `*` accepts any."),
]
AllowOrigin = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-origin", help="Origin of another site whose pages may use the service; `*` accepts any."
    ),
]
KeyFile = Annotated[
    Path | None, typer.Option("--keys", help="TOML file with API keys; requests without one are refused.")
]
SuggestionFile = Annotated[
    Path | None,
    typer.Option("--suggestions", help="File to append suggestions to, one JSON object per line."),
]
Learn = Annotated[
    bool, typer.Option("--learn", help="Learn suggestions at once from clients whose key allows it.")
]
Glossaries = Annotated[
    list[str] | None,
    typer.Option(
        "--glossary",
        help="TSV file of terms that translations must use; NAME=FILE for the model of this name.",
        metavar="FILE",
    ),
]
Log = Annotated[bool, typer.Option("--log/--no-log", help="Log each request to standard error as JSON.")]


def serve(
    models: Models,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    allow_host: AllowHost = None,
    allow_origin: AllowOrigin = None,
    keys: KeyFile = None,
    suggestions: SuggestionFile = None,
    learn: Learn = False,
    glossary: Glossaries = None,
    config: Config = None,
    log: Log = True,
    threads_: Threads = 0,
) -> None:
    """Serve translations: LibreTranslate's interface and a workbench in the browser. Stop with Ctrl-C."""
    from demotic.adapt import LearningModel
    from demotic.base.options import load_toml, options_from
    from demotic.decode import TranslationModel

    need_extra("serve")
    from demotic.serve import ServeOptions, load_service, make_app
    from demotic.serve.hosts import Hosts
    from demotic.serve.keys import Keys
    from demotic.serve.request_log import RequestLog
    from demotic.serve.server import run_server
    from demotic.serve.suggestions import Suggestions, learner_of

    if learn and keys is None:
        raise DemoticError(
            "--learn needs --keys", hint="the service learns only from clients whose key has `learn = true`"
        )
    options = options_from(ServeOptions, load_toml(config), file=config) if config else ServeOptions()
    known = Keys.load(keys) if keys else Keys()
    opened = LearningModel if learn else TranslationModel
    terms = _glossaries(glossary or (), models)
    service = load_service(models, options, threads(threads_), opened, terms)
    service.keys = known
    service.hosts = Hosts([host, *(allow_host or ())], allow_origin or ())
    service.suggestions = Suggestions(suggestions, learner_of(service.models) if learn else None)
    service.log = RequestLog(sys.stderr, log)
    run_server(service, make_app(service), host, port)


def _glossaries(named: Sequence[str], models: Sequence[Path]) -> dict[str, Glossary]:
    """Glossaries by the names of their models; the first model's needs none.

    Raises:
        DemoticError: for one that cannot be read, and for two of one model.
    """
    from demotic.decode.glossary import Glossary

    result: dict[str, Glossary] = {}
    for each in named:
        name, equals, file = each.rpartition("=")
        if not equals:
            name = models[0].resolve().name
        if name in result:
            raise DemoticError(f"two glossaries for the model '{name}'", hint="put all terms into one file")
        result[name] = Glossary.load(file)
    return result
