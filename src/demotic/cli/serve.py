"""`demotic serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.cli.common import Threads, threads


def serve(
    model: Annotated[Path, typer.Argument(help="Model folder, from `demotic train` or `demotic tune`.")],
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 accepts connections from anywhere.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")] = 8000,
    threads_: Threads = 0,
) -> None:
    """Serve translations with derivations in a browser and as JSON. Stop with Ctrl-C."""
    from demotic.decode import TranslationModel

    try:
        import uvicorn

        from demotic.serve import Translator, make_app
    except ImportError as error:
        raise DemoticError(f"{error.name} is not installed", hint="pip install 'demotic[serve]'") from None
    app = make_app(Translator(TranslationModel(model), threads=threads(threads_)))
    typer.echo(f"{model} at http://{host}:{port}", err=True)
    uvicorn.run(app, host=host, port=port, log_level="warning")
