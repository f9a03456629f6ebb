"""`demotic tune`."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from demotic.base.errors import DemoticError
from demotic.base.extras import need_extra
from demotic.base.options import load_toml
from demotic.cli.common import (
    Cluster,
    Config,
    EpochLog,
    Json,
    Seed,
    Threads,
    emit,
    error_console,
    table,
    threads,
)
from demotic.learn.registry import LEARNERS, make_learner

if TYPE_CHECKING:
    from demotic.features import DiscretizeOptions
    from demotic.learn import Learner
    from demotic.pipeline.replicas import Replica, ReplicaPlan
    from demotic.pipeline.search import SearchPlan, Trial
    from demotic.pipeline.tune import TuneInput

# An empty line between two of them: typer joins other lines.
_LEARNER_HELP = "\n\n".join(
    [
        "Learning algorithm; `demotic learners NAME` lists its options.",
        *(f"[bold]{name}[/bold]: {entry.help}" for name, entry in LEARNERS.items()),
    ]
)

Model = Annotated[Path, typer.Argument(help="Folder of the model to start from.")]
LearnerName = Annotated[str, typer.Option("--learner", help=_LEARNER_HELP)]
Out = Annotated[Path, typer.Option("--out", help="Folder for the tuned model.")]
Source = Annotated[Path | None, typer.Option("--src", help="Source side of the dev set.")]
References = Annotated[
    list[Path] | None,
    typer.Option("--ref", help="Reference translation of the dev set; repeat for several references."),
]
OnTrain = Annotated[
    bool,
    typer.Option(
        "--on-train",
        help="Learn on the model's own training pairs; each is decoded with rules from the other pairs only.",
    ),
]
Sentences = Annotated[
    int, typer.Option("--sentences", min=0, help="Size of a random sample for --on-train; 0 uses all pairs.")
]
Features = Annotated[
    str | None,
    typer.Option(
        "--features", help="Sparse feature templates, separated by commas, e.g. id,src_ngram,shape."
    ),
]
Groups = Annotated[
    str,
    typer.Option(
        "--groups",
        help="Learn one weight per feature group: a groups.txt, or a model that has one. `none` ignores the model's groups.",
    ),
]
Discretize = Annotated[
    str | None,
    typer.Option(
        "--discretize",
        help="Replace dense features by bins: bits=4\\[,overlap]\\[,input=KIND], where KIND is p, logp or counts.",
    ),
]
HeldOutSource = Annotated[
    Path | None,
    typer.Option(
        "--held-out-src", help="Source side of the held-out set, on which the best epoch is chosen."
    ),
]
HeldOutReferences = Annotated[
    list[Path] | None,
    typer.Option(
        "--held-out-ref", help="Reference translation of the held-out set; repeat for several references."
    ),
]
HeldOutLines = Annotated[
    Literal["all", "odd"],
    typer.Option(
        "--held-out-lines", help="Lines of the held-out set to use; `odd` leaves the even lines for testing."
    ),
]
Watch = Annotated[
    list[str] | None,
    typer.Option(
        "--watch", help="NAME=SRC,REF\\[,REF...]: report BLEU on this set after each epoch; repeatable."
    ),
]
Tokenized = Annotated[bool, typer.Option("--tokenized", help="The text is already tokenised.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="KEY=VALUE: set an option of the learner; repeatable.")
]
Replicas = Annotated[
    int,
    typer.Option(
        "--replicas", min=1, help="Tune N times, with seeds SEED, SEED + 1, ...; OUT is the best replica."
    ),
]
Draws = Annotated[
    int,
    typer.Option(
        "--draws",
        min=1,
        help="Like --replicas, but each of the N runs draws its own --sentences from the training pairs.",
    ),
]
Search = Annotated[
    Path | None,
    typer.Option(
        "--search", help="TOML file with option values to try; OUT is the best setting on the held-out set."
    ),
]
Budget = Annotated[
    str | None,
    typer.Option(
        "--budget",
        help="Time for --on-train on two cores, e.g. 30m: sets --sentences from the size of the corpus.",
    ),
]
StartFrom = Annotated[
    Path | None,
    typer.Option(
        "--start-from",
        help="Start from the weights of this tuned model (replica r from its replica r); new features start at 0.",
    ),
]


def tune(
    model: Model,
    learner: LearnerName,
    out: Out,
    src: Source = None,
    ref: References = None,
    on_train: OnTrain = False,
    sentences: Sentences = 0,
    features: Features = None,
    groups: Groups = "",
    discretize: Discretize = None,
    held_out_src: HeldOutSource = None,
    held_out_ref: HeldOutReferences = None,
    held_out_lines: HeldOutLines = "all",
    watch: Watch = None,
    tokenized: Tokenized = False,
    config: Config = None,
    set_: Settings = None,
    replicas: Replicas = 1,
    draws: Draws = 1,
    search: Search = None,
    budget: Budget = None,
    start_from: StartFrom = None,
    cluster: Cluster = "local",
    seed: Seed = 1,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Tune the weights of a model. An interrupted run resumes when the command is repeated."""
    need_extra("train")
    from demotic.pipeline.replicas import ReplicaPlan
    from demotic.pipeline.search import SearchPlan
    from demotic.pipeline.search_space import read_space
    from demotic.pipeline.tune import TuneInput, warn_of_leaks

    _check_combination(search, replicas, draws, sentences if on_train else 0, budget, on_train)
    values = _learner_values(config, set_ or [], start_from)
    chosen = make_learner(learner, values, config)
    files = TuneInput(
        model=model,
        source=src,
        references=ref or [],
        on_train=on_train,
        sentences=sentences,
        held_out_source=held_out_src,
        held_out_references=held_out_ref or [],
        held_out_lines=held_out_lines,
        watched=[parse_watched(each) for each in watch or []],
        tokenized=tokenized,
        templates=_templates(features),
        groups=groups,
        discretize=_discretization(discretize),
        start_from=start_from,
    )
    warn_of_leaks(files, chosen)
    if budget is not None:
        files = _within(budget, files, chosen, json)
    where = seed, cluster, threads(threads_)
    if search is not None:
        _print_search(SearchPlan(files, learner, values, read_space(search), out, *where), json)
    elif (runs := max(replicas, draws)) > 1:
        _print_replicas(ReplicaPlan(files, learner, values, out, runs, *where, draws > 1), json)
    else:
        _print_run(files, chosen, out, cluster, threads_, seed, json)


def _check_combination(
    search: Path | None, replicas: int, draws: int, sentences: int, budget: str | None, on_train: bool
) -> None:
    if budget is not None and (not on_train or sentences):
        raise typer.BadParameter("--budget needs --on-train, and takes the place of --sentences")
    if search is not None and (replicas > 1 or draws > 1):
        raise typer.BadParameter("--search cannot be combined with --replicas or --draws; search first")
    if replicas > 1 and draws > 1:
        raise typer.BadParameter("--replicas cannot be combined with --draws: each draw has its own seed too")
    if draws > 1 and not sentences and budget is None:
        raise typer.BadParameter("--draws needs --on-train and --sentences, the size of each draw")


def _within(budget: str, files: TuneInput, learner: Learner, json: bool) -> TuneInput:
    """As many training sentences as the time allows."""
    from demotic.decode import TranslationModel
    from demotic.pipeline.budget import parse_budget, sentences_within
    from demotic.pipeline.tune import make_task

    model = TranslationModel(files.model)
    task = make_task(replace(files, sentences=1), learner, 1, model)
    sentences = sentences_within(parse_budget(budget), learner, model, len(task.dev), len(task.held_out))
    error_console(json).print(f" {budget}: {sentences:,} of {len(model.index):,} training sentences")
    return replace(files, sentences=sentences)


def _discretization(text: str | None) -> DiscretizeOptions | None:
    from demotic.pipeline.discretize import parse_discretize

    return None if text is None else parse_discretize(text)


def _templates(features: str | None) -> tuple[str, ...] | None:
    return None if features is None else tuple(name for name in features.split(",") if name)


def _learner_values(config: Path | None, settings: list[str], start_from: Path | None) -> dict[str, Any]:
    """Options of the learner: --set overrides --config."""
    values = {**(load_toml(config) if config else {}), **parse_settings(settings)}
    if start_from is not None and values.setdefault("start", "model") != "model":
        raise typer.BadParameter(f"--start-from needs start=model (got start={values['start']})")
    return values


def _print_run(
    files: TuneInput, learner: Learner, out: Path, cluster: str, threads_: int, seed: int, json: bool
) -> None:
    """Tune once; a line for each epoch as it ends, then a table of all."""
    from demotic.cluster import executor
    from demotic.pipeline.tune import tune as run_tuning
    from demotic.report.epoch_table import epoch_columns, epoch_figure

    log = EpochLog(quiet=json)
    with executor(cluster, threads_) as workers:
        tuned = run_tuning(files, learner, out, workers, seed=seed, on_epoch=log)
    columns = epoch_columns(tuned.history)
    rows = [[epoch_figure(key, row.get(key, "")) for key in columns] for row in tuned.history]
    plain = {"model": str(out), "learner": learner.name, "epoch": tuned.epoch, "history": tuned.history}
    emit(plain, [table(f"{out}: {learner.name}, epoch {tuned.epoch}", list(columns.values()), rows)], json)


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
    title = f"{plan.out}: {plan.learner}, {plan.replicas} {'draws' if plan.new_draws else 'replicas'}"
    emit(result, [table(title, ["model", "seed", "epoch", "BLEU"], rows)], json)


def parse_settings(settings: list[str]) -> dict[str, Any]:
    """`KEY=VALUE` as TOML would read it, `TABLE.KEY=VALUE` in a table; a value that is not a number, truth value or list is a string."""
    result: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise DemoticError(f"--set {setting}: expected KEY=VALUE", hint="e.g.  --set epochs=4")
        *tables, name = (part.strip() for part in key.split("."))
        place = result
        for table_name in tables:
            place = place.setdefault(table_name, {})
            if not isinstance(place, dict):
                raise DemoticError(
                    f"--set {setting}: {table_name} is not a table", hint="another --set gave it a value"
                )
        place[name] = _value(text.strip())
    return result


def parse_watched(text: str) -> tuple[str, Path, list[Path]]:
    """`NAME=SRC,REF,...`: the name, the source, the references."""
    from demotic.report.epoch_table import EPOCH_COLUMNS

    name, _, files = text.partition("=")
    source, *references = files.split(",")
    if (
        not name.isidentifier()
        or f"{name}_bleu" in EPOCH_COLUMNS
        or not source
        or not all(references or [""])
    ):
        raise DemoticError(
            f"--watch {text}: expected NAME=SRC,REF", hint="e.g.  --watch test=test.de,test.en"
        )
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
