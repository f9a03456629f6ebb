"""`demotic tune`."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.errors import DemoticError
from demotic.base.options import load_toml
from demotic.cli.common import Config, EpochLog, Json, Seed, Threads, emit, error_console, table, threads
from demotic.report.epoch_table import EPOCH_COLUMNS, epoch_columns, epoch_figure

if TYPE_CHECKING:
    from demotic.pipeline.replicas import Replica, ReplicaPlan
    from demotic.pipeline.search import SearchPlan, Trial


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
    groups: Annotated[
        str,
        typer.Option(
            "--groups",
            help="groups.txt, or a model that has one: learn a weight per group. none: leave the model's own out.",
        ),
    ] = "",
    discretize: Annotated[
        str | None,
        typer.Option(
            "--discretize",
            help="Bins for dense features: bits=4[,overlap][,input=p, logp or counts][,start=linear or zero].",
        ),
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
    replicas: Annotated[
        int,
        typer.Option(
            "--replicas",
            min=1,
            help="Tune so many times, with the seeds SEED, SEED + 1, ...; the best is OUT.",
        ),
    ] = 1,
    search: Annotated[
        Path | None,
        typer.Option(
            "--search", help="Options to try, as TOML; the best on the held-out sentences makes OUT."
        ),
    ] = None,
    start_from: Annotated[
        Path | None,
        typer.Option(
            "--start-from",
            help="Start from the weights of this tuned model; replica r from its replica r. New features: 0.",
        ),
    ] = None,
    cluster: Annotated[str, typer.Option("--cluster", help="local, or ray.")] = "local",
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Learn weights. Run the same command again to go on after an interruption."""
    from demotic.cluster import executor
    from demotic.learn.registry import make_learner
    from demotic.pipeline.discretize import parse_discretize
    from demotic.pipeline.replicas import ReplicaPlan
    from demotic.pipeline.search import SearchPlan
    from demotic.pipeline.search_space import read_space
    from demotic.pipeline.tune import TuneInput, warn_of_leaks
    from demotic.pipeline.tune import tune as run_tuning

    values = {**(load_toml(config) if config else {}), **parse_settings(set_ or [])}
    if start_from is not None and values.setdefault("start", "model") != "model":
        raise typer.BadParameter(f"--start-from, but start={values['start']}")
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
        groups,
        None if discretize is None else parse_discretize(discretize),
        start_from,
    )
    warn_of_leaks(files, chosen)
    if search is not None:
        if replicas > 1:
            raise typer.BadParameter("--search and --replicas: search first, then make replicas of the best")
        space = read_space(search)
        _print_search(SearchPlan(files, learner, values, space, out, seed, cluster, threads(threads_)), json)
        return
    if replicas > 1:
        plan = ReplicaPlan(files, learner, values, out, replicas, seed, cluster, threads(threads_))
        _print_replicas(plan, json)
        return
    log = EpochLog(quiet=json)
    with executor(cluster, threads_) as workers:
        tuned = run_tuning(files, chosen, out, workers, seed=seed, on_epoch=log)
    columns = epoch_columns(tuned.history)
    rows = [[epoch_figure(key, row.get(key, "")) for key in columns] for row in tuned.history]
    plain = {"model": str(out), "learner": learner, "epoch": tuned.epoch, "history": tuned.history}
    emit(plain, [table(f"{out}: {learner}, epoch {tuned.epoch}", list(columns.values()), rows)], json)


def _print_search(plan: SearchPlan, json: bool) -> None:
    """Search; a table of all settings, the best first."""
    from demotic.pipeline.search import search

    console = error_console(json)

    def ended(trial: Trial) -> None:
        found = trial.held_out_list_bleu if trial.held_out_bleu is None else trial.held_out_bleu
        bleu = "" if found is None else f", held-out BLEU {found:.2f}"
        console.print(f" [green]✓[/green] {', '.join(f'{k}={v}' for k, v in trial.setting.items())}{bleu}")

    trials, winner = search(plan, ended)
    names = list(winner.setting)
    kinds = {
        "list_bleu": "BLEU in lists",
        "held_out_list_bleu": "in held-out lists",
        "held_out_bleu": "held-out, decoded",
    }
    columns = {key: title for key, title in kinds.items() if any(vars(t)[key] is not None for t in trials)}
    order = sorted(trials, key=lambda t: [*(-(vars(t)[key] or 0.0) for key in reversed(columns)), t.number])
    rows = [
        [
            ("* " if trial is winner else "  ") + str(trial.number),
            *(f"{value:g}" if isinstance(value, float) else str(value) for value in trial.setting.values()),
            *("" if vars(trial)[key] is None else vars(trial)[key] for key in columns),
        ]
        for trial in order
    ]
    plain = {
        "model": str(plan.out),
        "learner": plan.learner,
        "winner": vars(winner),
        "trials": [vars(t) for t in trials],
    }
    title = f"{plan.out}: {plan.learner}, {len(trials)} settings"
    emit(plain, [table(title, ["trial", *names, *columns.values()], rows)], json)


def _print_replicas(plan: ReplicaPlan, json: bool) -> None:
    """Tune them; a line for each as it ends, then a table of all."""
    from demotic.pipeline.replicas import tune_replicas

    console = error_console(json)

    def ended(replica: Replica) -> None:
        bleu = "" if replica.bleu is None else f", BLEU {replica.bleu:.2f}"
        console.print(f" [green]✓[/green] replica {replica.number}, epoch {replica.epoch}{bleu}")
        for row in replica.history:
            if "degenerate" in row:
                console.print(f"   [yellow]![/yellow] epoch {row['epoch']}: {row['degenerate']}")

    found = tune_replicas(plan, ended)
    plain = [{**vars(replica), "model": str(replica.model)} for replica in found]
    rows: list[tuple[object, ...]] = [
        (str(replica.model), replica.seed, replica.epoch, "" if replica.bleu is None else replica.bleu)
        for replica in found
    ]
    scores = [replica.bleu for replica in found if replica.bleu is not None]
    result: dict[str, Any] = {"model": str(plan.out), "learner": plan.learner, "replicas": plain}
    if scores:
        result |= {"mean": statistics.fmean(scores), "deviation": statistics.stdev(scores)}
        rows += [("mean", "", "", result["mean"]), ("standard deviation", "", "", result["deviation"])]
    title = f"{plan.out}: {plan.learner}, {plan.replicas} replicas"
    emit(result, [table(title, ["model", "seed", "epoch", "BLEU"], rows)], json)


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """`KEY=VALUE` as TOML would read it, `TABLE.KEY=VALUE` in a table; a value that is no number, truth value or list is a string."""
    result: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise DemoticError(f"--set {setting}: no KEY=VALUE", hint="such as  --set epochs=4")
        *tables, name = (part.strip() for part in key.split("."))
        place = result
        for table_name in tables:
            place = place.setdefault(table_name, {})
            if not isinstance(place, dict):
                raise DemoticError(
                    f"--set {setting}: {table_name} is no table", hint="it has a value already"
                )
        place[name] = _value(text.strip())
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
    if text.startswith("[") and text.endswith("]"):
        return [_value(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    for kind in (int, float):
        try:
            return kind(text.replace("_", ""))
        except ValueError:
            continue
    return text
