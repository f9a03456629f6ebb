"""What `demotic tune` runs, and what it prints: once, several times, or a search."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from demotic.cli.common import EpochLog, emit, error_console, table

if TYPE_CHECKING:
    from demotic.learn import Learner
    from demotic.pipeline.replicas import Replica, ReplicaPlan
    from demotic.pipeline.search_plan import SearchPlan, Trial


def print_run(plan: ReplicaPlan, learner: Learner, workers: int, json: bool) -> None:
    """Tune once; a line for each epoch as it ends, then a table of all."""
    from demotic.cluster import executor
    from demotic.pipeline.tune import tune
    from demotic.report.epoch_table import epoch_columns, epoch_figure

    log = EpochLog(quiet=json)
    with executor(plan.cluster, workers) as crew:
        tuned = tune(plan.files, learner, plan.out, crew, seed=plan.seed, on_epoch=log)
    columns = epoch_columns(tuned.history)
    rows = [[epoch_figure(key, row.get(key, "")) for key in columns] for row in tuned.history]
    plain = {"model": str(plan.out), "learner": learner.name, "epoch": tuned.epoch, "history": tuned.history}
    emit(
        plain, [table(f"{plan.out}: {learner.name}, epoch {tuned.epoch}", list(columns.values()), rows)], json
    )


def print_search(plan: SearchPlan, json: bool) -> None:
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


def print_replicas(plan: ReplicaPlan, json: bool) -> None:
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
    bleu = "BLEU" if plan.files.held_out_source is None else "held-out BLEU"
    emit(result, [table(title, ["model", "seed", "epoch", bleu], rows)], json)
