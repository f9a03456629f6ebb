"""`demotic tune`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from demotic.base.extras import need_extra
from demotic.base.options import load_toml
from demotic.cli.common import Cluster, Config, Json, Seed, Threads, Tokenized, error_console, threads
from demotic.cli.settings import parse_settings, parse_templates, parse_watched
from demotic.learn.registry import LEARNERS, make_learner

if TYPE_CHECKING:
    from demotic.features import DiscretizeOptions
    from demotic.learn import Learner
    from demotic.pipeline.replicas import ReplicaPlan
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
ClassLm = Annotated[
    str | None,
    typer.Option(
        "--class-lm",
        help="Add a language model over N word classes, e.g. 200; separate several numbers by commas. `none` adds none, even if the learner would.",
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
Labels = Annotated[
    Path | None,
    typer.Option(
        "--labels",
        help="Labels for templates such as word_pair@label: one per line of --src or, with --on-train, one per training pair.",
    ),
]
DevLabels = Annotated[
    Path | None, typer.Option("--dev-labels", help="Labels of --src, if it is used with --on-train.")
]
HeldOutLabels = Annotated[
    Path | None, typer.Option("--held-out-labels", help="Labels of the held-out set, one per line.")
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
        help="Time to spend with --on-train on two cores, e.g. 30m; sets --sentences accordingly.",
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
    class_lm: ClassLm = None,
    labels: Labels = None,
    dev_labels: DevLabels = None,
    held_out_labels: HeldOutLabels = None,
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
        templates=parse_templates(features),
        class_lms=_class_lms(class_lm),
        groups=groups,
        discretize=_discretization(discretize),
        start_from=start_from,
        labels=labels,
        dev_labels=dev_labels,
        held_out_labels=held_out_labels,
    )
    warn_of_leaks(files, chosen)
    files = _within(budget, files, chosen, json)
    where = seed, cluster, threads(threads_)
    plan = ReplicaPlan(files, learner, values, out, max(replicas, draws), *where, draws > 1)
    _start(plan, chosen, search, threads_, json)


def _start(plan: ReplicaPlan, learner: Learner, search: Path | None, workers: int, json: bool) -> None:
    """Search, tune several times, or tune once with this many workers (0: all)."""
    from demotic.cli.tune_results import print_replicas, print_run, print_search
    from demotic.pipeline.search_plan import SearchPlan
    from demotic.pipeline.search_space import read_space

    if search is not None:
        where = plan.out, plan.seed, plan.cluster, plan.threads
        print_search(SearchPlan(plan.files, plan.learner, plan.values, read_space(search), *where), json)
    elif plan.replicas > 1:
        print_replicas(plan, json)
    else:
        print_run(plan, learner, workers, json)


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


def _within(budget: str | None, files: TuneInput, learner: Learner, json: bool) -> TuneInput:
    """As many training sentences as the time allows."""
    if budget is None:
        return files
    from demotic.decode import TranslationModel
    from demotic.pipeline.budget import parse_budget, sentences_within
    from demotic.pipeline.tune import class_lms_of, make_task

    model = TranslationModel(files.model)
    task = make_task(replace(files, sentences=1), learner, 1, model)
    sets = len(task.dev), len(task.held_out)
    class_lms = len(class_lms_of(files, learner, model))
    sentences = sentences_within(parse_budget(budget), learner, model, *sets, class_lms)
    error_console(json).print(f" {budget}: {sentences:,} of {len(model.index):,} training sentences")
    return replace(files, sentences=sentences)


def _discretization(text: str | None) -> DiscretizeOptions | None:
    from demotic.pipeline.discretize import parse_discretize

    return None if text is None else parse_discretize(text)


def _class_lms(text: str | None) -> tuple[int, ...] | None:
    from demotic.corpus.word_classes import parse_sizes

    if text is None:
        return None
    return () if text == "none" else parse_sizes(text)


def _learner_values(config: Path | None, settings: list[str], start_from: Path | None) -> dict[str, Any]:
    """Options of the learner: --set overrides --config."""
    values = {**(load_toml(config) if config else {}), **parse_settings(settings)}
    if start_from is not None and values.setdefault("start", "model") != "model":
        raise typer.BadParameter(f"--start-from needs start=model (got start={values['start']})")
    return values
