"""`demotic tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from demotic.base.errors import DemoticError
from demotic.base.options import load_toml
from demotic.cli.common import (
    EPOCH_COLUMNS,
    Config,
    EpochLog,
    Json,
    Seed,
    Threads,
    emit,
    epoch_columns,
    epoch_figure,
    table,
    threads,
)


def tune(
    model: Annotated[Path, typer.Argument(help="The model to start from.")],
    learner: Annotated[
        str, typer.Option("--learner", help="Such as mert, perceptron or itersel; a wrong name lists all.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The tuned model: a folder.")],
    src: Annotated[Path | None, typer.Option("--src", help="Sentences to learn from.")] = None,
    ref: Annotated[
        list[Path] | None, typer.Option("--ref", help="Their translations; repeat for several references.")
    ] = None,
    on_train: Annotated[
        bool,
        typer.Option(
            "--on-train", help="Learn on the model's own training pairs, each decoded without itself."
        ),
    ] = False,
    sentences: Annotated[
        int, typer.Option("--sentences", min=0, help="With --on-train: how many, at random; 0: all.")
    ] = 0,
    features: Annotated[
        str | None, typer.Option("--features", help="Sparse templates, such as  id,src_ngram,shape.")
    ] = None,
    held_out_src: Annotated[
        Path | None, typer.Option("--held-out-src", help="Sentences on which the best epoch is chosen.")
    ] = None,
    held_out_ref: Annotated[
        list[Path] | None, typer.Option("--held-out-ref", help="Their translations.")
    ] = None,
    held_out_lines: Annotated[
        str, typer.Option("--held-out-lines", help="all, or odd: the even lines stay for reporting.")
    ] = "all",
    watch: Annotated[
        list[str] | None,
        typer.Option("--watch", help="NAME=SRC,REF[,REF...]: sentences whose BLEU is reported only; repeat."),
    ] = None,
    tokenized: Annotated[bool, typer.Option("--tokenized", help="The text is tokenised already.")] = False,
    config: Config = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE: one option of the learner; repeat.")
    ] = None,
    cluster: Annotated[str, typer.Option("--cluster", help="local, or ray.")] = "local",
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Learn weights. Run the same command again to go on after an interruption."""
    from demotic.cluster import executor
    from demotic.experiments.tune import TuneInput, make_learner
    from demotic.experiments.tune import tune as run_tuning

    values = {**(load_toml(config) if config else {}), **parse_settings(set_ or [])}
    chosen = make_learner(learner, values, config)
    if held_out_lines not in ("all", "odd"):
        raise typer.BadParameter("--held-out-lines is all or odd")
    templates = None if features is None else tuple(name for name in features.split(",") if name)
    files = TuneInput(
        model,
        src,
        ref or [],
        on_train,
        sentences,
        held_out_src,
        held_out_ref or [],
        held_out_lines,
        [parse_watched(each) for each in watch or []],
        tokenized,
        templates,
    )
    log = EpochLog(quiet=json)
    with executor(cluster, threads(threads_)) as workers:
        tuned = run_tuning(files, chosen, out, workers, seed=seed, on_epoch=log)
    columns = epoch_columns(tuned.history)
    rows = [[epoch_figure(key, row.get(key, "")) for key in columns] for row in tuned.history]
    plain = {"model": str(out), "learner": learner, "epoch": tuned.epoch, "history": tuned.history}
    emit(plain, [table(f"{out}: {learner}, epoch {tuned.epoch}", list(columns.values()), rows)], json)


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """`KEY=VALUE` as TOML would read it; a value that is no number, truth value or list is a string."""
    result: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise DemoticError(f"--set {setting}: no KEY=VALUE", hint="such as  --set epochs=4")
        result[key.strip()] = _value(text.strip())
    return result


def parse_watched(text: str) -> tuple[str, Path, list[Path]]:
    """`NAME=SRC,REF,...`: the name, the source, the references."""
    name, _, files = text.partition("=")
    source, *references = files.split(",")
    if (
        not name.isidentifier()
        or f"{name}_bleu" in EPOCH_COLUMNS
        or not source
        or not all(references or [""])
    ):
        raise DemoticError(f"--watch {text}: no NAME=SRC,REF", hint="such as  --watch test=test.de,test.en")
    return name, Path(source), [Path(file) for file in references]


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text.replace("_", ""))
        except ValueError:
            continue
    return text
