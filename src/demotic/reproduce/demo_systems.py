"""What the demo shows beside dense weights: sparse features learnt on the training set, by two methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from demotic.cluster import executor
from demotic.learn.registry import make_learner
from demotic.pipeline.tune import TuneInput, tune
from demotic.report import RunFolder

TEMPLATES = ("id", "src_ngram", "shape")


@dataclass(frozen=True)
class SystemPlan:
    """A learner, its options, and how many training sentences it sees; sized for a demo of two minutes."""

    name: str
    learner: str
    values: Mapping[str, Any]
    sentences: int


PLANS = (
    SystemPlan("IterSelSGD", "itersel", {"epochs": 2, "lm_folds": 5}, 2000),
    SystemPlan(
        "HOLS", "hols", {"start": "model", "k": 200, "search_iterations": 3, "final_iterations": 4}, 1500
    ),
)


def tune_systems(
    corpus: Path,
    baseline: Path,
    folder: Path,
    *,
    plans: Sequence[SystemPlan] = PLANS,
    seed: int = 1,
    workers: int = 1,
    on_system: Callable[[str], None] | None = None,
    on_epoch: Callable[[Mapping[str, Any]], None] | None = None,
) -> list[RunFolder]:
    """A model for each plan.

    Args:
        corpus: folder with `{dev,devtest}.{de,en}`.
        baseline: a trained model with tuned dense weights.
        folder: gets the models, each named as its learner.
        plans: what is learnt.
        seed: of the learners.
        workers: processes.
        on_system: told the name of each system before it is tuned.
        on_epoch: told a row of figures after each epoch.
    """
    systems = []
    for plan in plans:
        if on_system is not None:
            on_system(plan.name)
        learner = make_learner(plan.learner, plan.values)
        files = _files(corpus, baseline, plan.sentences, learner.uses_dev)
        with executor("local", workers) as where:
            tune(files, learner, folder / plan.learner, where, seed=seed, on_epoch=on_epoch)
        systems.append(RunFolder.find(folder / plan.learner, plan.name))
    return systems


def _files(corpus: Path, baseline: Path, sentences: int, uses_dev: bool) -> TuneInput:
    """Epochs are chosen on devtest where the learner has no dev set."""
    files = TuneInput(baseline, on_train=True, sentences=sentences, templates=TEMPLATES)
    if uses_dev:
        return replace(files, source=corpus / "dev.de", references=[corpus / "dev.en"])
    return replace(files, held_out_source=corpus / "devtest.de", held_out_references=[corpus / "devtest.en"])
