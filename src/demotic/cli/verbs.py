"""The verbs, in the order of the data flow."""

from __future__ import annotations

import typer

from demotic.cli import align, demo, doctor, prepare, train


def register(app: typer.Typer) -> None:
    """Add every verb to the app. Modules keep heavy imports inside the functions, so that `--help` is instant."""
    app.command("demo")(demo.demo)
    app.command("train")(train.train)
    app.command("prepare")(prepare.prepare)
    app.command("tokenize")(prepare.tokenize)
    app.command("detokenize")(prepare.detokenize)
    app.add_typer(align.app, name="align")
    app.command("doctor")(doctor.doctor)
