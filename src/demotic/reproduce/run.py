"""`demotic reproduce`: a table or figure of a paper, on any corpus."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from demotic.base.files import Pathish
from demotic.base.run import OnStage
from demotic.report.figures import need_matplotlib
from demotic.reproduce.budget import shrink, within
from demotic.reproduce.context import Context
from demotic.reproduce.corpus_folder import CorpusFolder
from demotic.reproduce.experiment import Experiment
from demotic.reproduce.forecast import Forecaster
from demotic.reproduce.kinds import KINDS
from demotic.reproduce.materials import make_context, size_text
from demotic.reproduce.options import ReproduceOptions
from demotic.reproduce.page import write_page
from demotic.reproduce.result import Result, write_result
from demotic.reproduce.scores import Scores
from demotic.reproduce.size_plan import SizePlan
from demotic.reproduce.systems import PlannedRun, plan_runs, run_all
from demotic.reproduce.workspace import Workspace


def reproduce(
    experiment: Experiment,
    corpus: CorpusFolder,
    out: Pathish,
    options: ReproduceOptions | None = None,
    *,
    say: Callable[[str], None] | None = None,
    on_stage: OnStage | None = None,
) -> tuple[Result, list[Path]]:
    """Run an experiment; killed and run again it goes on. Returns the result and the files it was written to.

    Args:
        experiment: from `load_experiment`.
        corpus: text to run it on.
        out: folder for everything; other experiments may use the same and share what they can.
        options: how.
        say: told lines for people.
        on_stage: told `(name, seconds)` as each stage of text and model ends; None: it was done before.
    """
    need_matplotlib()
    options = options or ReproduceOptions()
    say = say or (lambda line: None)
    started = time.perf_counter()
    workspace = Workspace(out, on_stage)
    folder = workspace.results(f"{experiment.name}-{options.label}")
    plan = SizePlan(folder, options.budget)
    context = make_context(plan.apply(experiment), corpus, workspace, options, say)
    levels = plan_runs(context)
    if any(levels):
        experiment = _within_budget(context, levels, plan, started)
        if experiment != context.experiment:
            context = make_context(experiment, corpus, workspace, options, say)
            levels = plan_runs(context)
    scores = Scores(run_all(context, levels), context.experiment.shuffles, options.seed, options.threads)
    result = KINDS[context.experiment.kind](context, scores)
    notes = [*result.notes, *_minutes(context), *plan.notes, *context.notes, *context.experiment.notes]
    result = replace(result, notes=notes, about=_about(context, corpus))
    files = write_result(result, folder)
    return result, [*files, *write_page(result, context, scores, folder / "report.html")]


def _within_budget(
    context: Context, levels: Sequence[Sequence[PlannedRun]], plan: SizePlan, started: float
) -> Experiment:
    """The experiment, cut down to the time that is left unless an earlier run has settled that; people are told how long it takes.

    Args:
        context: the experiment with its text and models.
        levels: its runs.
        plan: of its sizes.
        started: when all began, in seconds of the monotonic clock.
    """
    forecaster, experiment = Forecaster(context), context.experiment
    if plan.is_open:
        left = plan.budget - (time.perf_counter() - started)
        share, forecast = within(max(0.0, left), forecaster, levels)
        experiment = shrink(experiment, share, _available(context)) if share < 1 else experiment
        plan.make(experiment, context.experiment)
    else:
        forecast = forecaster.forecast(levels)
    for line in [*plan.notes, f"forecast: {forecast}"]:
        context.say(line)
    return experiment


def _available(context: Context) -> dict[str, int]:
    data = context.data[0]
    dev = data.sets.get("dev") or next(iter(data.sets.values()))
    return {"dev": dev.sentences, "train": data.train.sentences}


def _about(context: Context, corpus: CorpusFolder) -> list[str]:
    """What the figures are of."""
    experiment, first = context.experiment, context.data[0]
    pairs = ", ".join(f"{data.pair}: {size_text(data)}" for data in context.data)
    sets = ", ".join(f"{name} {text.sentences:,}" for name, text in first.sets.items())
    notes = [f"our corpus: {corpus.folder.resolve().name} ({pairs}); sentences: {sets}"]
    if experiment.corpus:
        notes.append(
            f"the paper's corpus is another: {experiment.corpus}. Its figures show the pattern, not what to expect"
        )
    return notes


def _minutes(context: Context) -> list[str]:
    if context.experiment.kind != "systems":
        return []
    kinds = {column.value for column in context.experiment.columns}
    notes = ["CPU minutes: of one run, all its threads together"] if "cpu_minutes" in kinds else []
    if "minutes" in kinds or not notes:  # the table adds them where nothing is said of time
        threads = f"{context.threads} threads shared by the runs going on at the same time"
        notes.append(f"minutes: wall-clock time of one run, {threads}")
    return notes
