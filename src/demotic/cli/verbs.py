"""The verbs, in the order of the data flow."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from demotic.cli import (
    align,
    decode,
    demo,
    doctor,
    evaluate,
    grammar,
    groups,
    lm,
    prepare,
    report,
    reproduce,
    serve,
    train,
    translate,
    tune,
    weights,
)


class DataFlowOrder(TyperGroup):
    """Lists the verbs in the order of the data flow; typer would list single verbs before groups of verbs."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names for `--help` and completion."""
        known = super().list_commands(ctx)
        return [name for name in _ORDER if name in known] + [name for name in known if name not in _ORDER]


_ORDER = [
    "demo",
    "train",
    "translate",
    "prepare",
    "tokenize",
    "detokenize",
    "align",
    "lm",
    "grammar",
    "decode",
    "evaluate",
    "compare",
    "tune",
    "reproduce",
    "weights",
    "report",
    "groups",
    "serve",
    "doctor",
]


def register(app: typer.Typer) -> None:
    """Add every verb to the app. Modules keep heavy imports inside the functions, so that `--help` is instant."""
    app.command("demo")(demo.demo)
    app.command("train")(train.train)
    app.command("translate")(translate.translate)
    app.command("prepare")(prepare.prepare)
    app.command("tokenize")(prepare.tokenize)
    app.command("detokenize")(prepare.detokenize)
    app.add_typer(align.app, name="align")
    app.add_typer(lm.app, name="lm")
    app.add_typer(grammar.app, name="grammar")
    app.command("decode")(decode.decode)
    app.command("evaluate")(evaluate.evaluate)
    app.command("compare")(evaluate.compare)
    app.command("tune")(tune.tune)
    app.command("reproduce")(reproduce.reproduce)
    app.add_typer(weights.app, name="weights")
    app.command("report")(report.report)
    app.add_typer(groups.app, name="groups")
    app.command("serve")(serve.serve)
    app.command("doctor")(doctor.doctor)
