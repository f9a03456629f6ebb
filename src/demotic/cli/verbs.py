"""The verbs, in the order of the data flow."""

from __future__ import annotations

import typer

from demotic.cli import doctor


def register(app: typer.Typer) -> None:
    """Add every verb to the app. Each module has a function or a sub-app; heavy imports wait inside the functions."""
    app.command("doctor", help="Versions, cores, memory: what a bug report needs.")(doctor.doctor)
