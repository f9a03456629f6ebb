"""`demotic serve`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.base.extras import need_extra
from demotic.cli.common import Config, Threads, threads


def serve(
    models: Annotated[
        list[Path],
        typer.Argument(
            help="Model folders; the first of each language pair answers for it.", show_default=False
        ),
    ],
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 accepts connections from anywhere.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="Host name that clients use for this service; `*` accepts any."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin", help="Origin of another site whose pages may use the service; `*` accepts any."
        ),
    ] = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="TOML file with API keys; requests without one are refused.")
    ] = None,
    suggestions: Annotated[
        Path | None,
        typer.Option("--suggestions", help="File to append suggestions to, one JSON object per line."),
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="Learn suggestions at once from clients whose key allows it.")
    ] = False,
    config: Config = None,
    log: Annotated[
        bool, typer.Option("--log/--no-log", help="Log each request to standard error as JSON.")
    ] = True,
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
        raise DemoticError("--learn needs --keys", hint="a model learns only from clients that it knows")
    options = options_from(ServeOptions, load_toml(config), file=config) if config else ServeOptions()
    known = Keys.load(keys) if keys else Keys()
    service = load_service(models, options, threads(threads_), LearningModel if learn else TranslationModel)
    service.keys = known
    service.hosts = Hosts([host, *(allow_host or ())], allow_origin or ())
    service.suggestions = Suggestions(suggestions, learner_of(service.models) if learn else None)
    service.log = RequestLog(sys.stderr, log)
    run_server(service, make_app(service), host, port)
