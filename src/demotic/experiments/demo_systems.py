"""What the demo shows beside dense weights: sparse features learnt on the training set, by two methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from demotic.base.files import read_lines
from demotic.base.progress import track
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.evaluate import Comparison, compare
from demotic.experiments.tune import TuneInput, make_learner, tune
from demotic.learn import Tuned

TEMPLATES = ("id", "src_ngram", "shape")
BASELINE = "mert"


@dataclass(frozen=True)
class SystemPlan:
    """A learner, its options, and how many training sentences it sees; sized for a demo of two minutes."""

    learner: str
    values: Mapping[str, Any]
    sentences: int


PLANS = (
    SystemPlan("itersel", {"epochs": 2, "lm_folds": 5, "start": "zero"}, 2000),
    SystemPlan("hols", {"start": "model", "k": 200, "search_iterations": 3, "final_iterations": 4}, 1500),
)


@dataclass(frozen=True)
class DemoSystem:
    """A system of the demo.

    Attributes:
        name: of its learner.
        model: folder.
        tuned: what the learner reports; None for the baseline, which `train` has tuned.
        output: its translation of the test set.
    """

    name: str
    model: Path
    tuned: Tuned | None
    output: list[str]


def make_systems(
    corpus: Path,
    baseline: Path,
    folder: Path,
    *,
    plans: tuple[SystemPlan, ...] = PLANS,
    seed: int = 1,
    workers: int = 1,
    on_system: Callable[[str], None] | None = None,
    on_epoch: Callable[[Mapping[str, Any]], None] | None = None,
) -> list[DemoSystem]:
    """The baseline and a system for each plan, all of which have translated the test set.

    Args:
        corpus: folder with `{dev,devtest,test}.{de,en}`.
        baseline: a trained model with tuned dense weights.
        folder: gets a model per plan.
        plans: what is learnt.
        seed: of the learners.
        workers: processes.
        on_system: told the name of each system before it is tuned.
        on_epoch: told a row of figures after each epoch.
    """
    systems = [DemoSystem(BASELINE, baseline, None, _translate(corpus, baseline, workers))]
    for plan in plans:
        if on_system is not None:
            on_system(plan.learner)
        model = folder / plan.learner
        with executor("local", workers) as where:
            learner = make_learner(plan.learner, plan.values)
            files = _files(corpus, baseline, plan.sentences, learner.uses_dev)
            tuned = tune(files, learner, model, where, seed=seed, on_epoch=on_epoch)
        systems.append(DemoSystem(plan.learner, model, tuned, _translate(corpus, model, workers)))
    return systems


def compare_systems(corpus: Path, systems: list[DemoSystem], seed: int = 1) -> Comparison:
    """BLEU of the test set with tests of significance against the baseline."""
    references = [list(read_lines(corpus / "test.en"))]
    return compare({system.name: [system.output] for system in systems}, references, seed=seed)


def _files(corpus: Path, baseline: Path, sentences: int, uses_dev: bool) -> TuneInput:
    """Epochs are chosen on devtest where the learner has no dev set."""
    files = TuneInput(baseline, on_train=True, sentences=sentences, templates=TEMPLATES)
    if uses_dev:
        return replace(files, source=corpus / "dev.de", references=[corpus / "dev.en"])
    return replace(files, held_out_source=corpus / "devtest.de", held_out_references=[corpus / "devtest.en"])


def _translate(corpus: Path, model: Path, workers: int) -> list[str]:
    sources = list(read_lines(corpus / "test.de"))
    outputs = TranslationModel(model).translate(sources, workers)
    return list(track(outputs, "translate", len(sources), "lines"))
