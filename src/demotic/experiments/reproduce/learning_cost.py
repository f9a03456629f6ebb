"""What a learner decodes, by its options, and what that costs on a machine and a corpus that are not there to be measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from demotic.base.errors import DemoticError
from demotic.experiments.reproduce.data import DataSet, MonoText
from demotic.experiments.reproduce.experiment import Experiment, Row, Sizes
from demotic.experiments.tune import learner_options

LEARNING = 1.4  # with what is learnt from a list: a rule of thumb


@dataclass(frozen=True)
class Work:
    """Sentences that a run decodes, repeated ones too."""

    learnt: float  # in lists of the learner's length
    looked_at: float  # for their best translation only
    list_sentences: float  # whose lists are in memory at the same time
    different: int  # each counted once


def work_of(options: Mapping[str, Any], learnt: int, dev: int, select: int, tested: int) -> Work:
    """What a learner with these options decodes.

    Args:
        options: fields of the learner's options.
        learnt: sentences that are learnt from.
        dev: sentences of the dev set of a learner that takes both.
        select: sentences that are translated after each epoch.
        tested: sentences that are translated at the end.
    """
    strengths = len(options.get("strengths", (1,)))
    different = learnt + dev + select + tested
    if "passes" in options and "updates" in options:  # HOLS: gradients, line searches, the last MERT
        searched = min(options["search_sentences"], learnt // max(2, options["folds"]))
        rounds = options["updates"] * (options["search_iterations"] + 1)
        final = dev * (options["final_iterations"] + 1)
        first = min(options["start_sentences"], searched) * (options["start_iterations"] + 1)
        lists = options["passes"] * learnt + rounds * searched + first + final
        return Work(lists, options["updates"] * select + tested, max(searched, dev), different)
    if "pro" in options:  # OSCAR: the training data for tuples, then the dev set for the weights of groups
        rounds = options["iterations"]
        lists = rounds * (learnt + dev * (options["pro"].iterations + 1))
        return Work(lists, rounds * select + tested, dev, different)
    if "iterations" in options:
        iterations = options["iterations"]
        return Work(learnt * (iterations + 1), iterations * select + tested, learnt, different)
    epochs = options.get("epochs", 1) * strengths
    return Work(learnt * epochs, epochs * select + tested, 0, different)


def nominal_minutes(experiment: Experiment, threads: int = 2) -> float:
    """Minutes on a corpus like Multi30k and two cores: for `--list`, where nothing can be measured."""
    pairs_of_model = min(experiment.sizes.train or _NOMINAL.train, _NOMINAL.train)
    seconds = _NOMINAL_BASE * pairs_of_model / _NOMINAL.train * min(2, experiment.pairs)
    for row in experiment.systems():
        pairs = {column.pair for column in experiment.columns if column.pair} or {row.pair}
        runs = (row.replicas or experiment.sizes.replicas) * min(2, len(pairs))
        seconds += runs * _nominal_seconds(experiment, row) / threads
    return seconds / 60


def model_seconds(text: DataSet, threads: int, mono: MonoText | None = None) -> float:
    """About how long a model of some training text takes: alignment is nearly all of it, and linear in the text at most."""
    seconds = _NOMINAL_BASE * text.source.stat().st_size / _NOMINAL_BYTES * 2
    if mono is not None:
        seconds += _MONO_SECONDS * mono.file.stat().st_size
    return seconds / max(1, min(2, threads))


_NOMINAL = Sizes(train=29_000, dev=1014, select=1000, test=1000, sentences=29_000)
_NOMINAL_BASE, _NOMINAL_BYTES = (
    60.0,
    2_100_000,
)  # seconds for alignment, language model and index of so much source text
_MONO_SECONDS = 1.6e-6  # to tokenise a byte of monolingual text and count its n-grams, on one core
_NOMINAL_SPEED, _NOMINAL_LIST = 0.012, 0.00007  # seconds a sentence, and a hypothesis of its list


def _nominal_seconds(experiment: Experiment, row: Row) -> float:
    sizes = {
        name: min(getattr(experiment.sizes, name) or most, most)
        for name, most in vars(_NOMINAL).items()
        if name != "replicas"
    }
    try:
        options = vars(learner_options(row.learner, experiment.learner_options(row)))
    except DemoticError:
        return 0.0
    wanted = min(experiment.sentences(row) or sizes["sentences"], sizes["sentences"])
    on_train = row.on.startswith("train")
    shown = [column.set for column in experiment.columns if column.value == "bleu"]
    work = work_of(
        options,
        wanted if on_train else sizes["dev"],
        sizes["dev"] if row.on == "train+dev" else 0,
        sizes["select"] if row.choose else 0,
        sum(sizes.get(name, sizes["test"]) for name in shown),
    )
    per_list = _NOMINAL_SPEED + _NOMINAL_LIST * int(options.get("k", 100))
    return LEARNING * work.learnt * per_list + work.looked_at * _NOMINAL_SPEED
