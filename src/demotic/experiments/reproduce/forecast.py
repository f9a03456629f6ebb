"""What a run will cost, from twenty probe sentences: time, memory, disk; and cutting it down to a budget.

Decoding is nearly all of the cost, and how often each learner decodes each sentence is known from its options. So the forecast is
sentences x passes x seconds a sentence, where the seconds are measured with the features and the list length of each row.
"""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError
from demotic.decode import Decoder, TranslationModel
from demotic.experiments.reproduce.context import Context
from demotic.experiments.reproduce.data import DataSet
from demotic.experiments.reproduce.experiment import Experiment, Row, Sizes
from demotic.experiments.reproduce.system_job import SystemJob
from demotic.experiments.reproduce.systems import PlannedRun, processes_for
from demotic.experiments.tune import learner_options
from demotic.features import TemplateSet
from demotic.learn import read_examples

PROBES = 20  # sentences
LEAST = 20  # sentences that a budget leaves of each set
_LEARNING = 1.4  # with what is learnt from a list: a rule of thumb
_BYTES_PER_ENTRY = 12  # of a feature in a list, in memory
_POOLED = (
    3.0  # an accumulated pool holds so many times the lists of one iteration: most hypotheses come again
)


@dataclass(frozen=True)
class Speed:
    """What decoding a sentence costs on one core."""

    seconds: float
    entries: float  # of the feature matrix of its list


@dataclass(frozen=True)
class Work:
    """Sentences that a run decodes, repeated ones too."""

    learnt: float  # in lists of the learner's length
    looked_at: float  # for their best translation only
    list_sentences: float  # whose lists are in memory at the same time


@dataclass(frozen=True)
class Forecast:
    """What is to come."""

    seconds: float
    memory: float  # bytes
    disk: float  # bytes
    runs: int

    def __str__(self) -> str:
        time_ = duration(self.seconds)
        return f"{self.runs} runs, about {time_}, {self.memory / 2**30:.1f} GiB of memory, {self.disk / 2**20:,.0f} MiB of disk"


class Prober:
    """Measures how fast a model decodes, once for each set of templates and list length."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._models: dict[int, TranslationModel] = {}
        self._sources: dict[int, list[str]] = {}
        self._known: dict[tuple[int, tuple[str, ...], int], Speed] = {}

    def speed(self, pair: int, templates: tuple[str, ...], k: int) -> Speed:
        """Of a row."""
        key = pair, templates, k
        if key not in self._known:
            self._known[key] = self._measure(pair, templates, k)
        return self._known[key]

    def _measure(self, pair: int, templates: tuple[str, ...], k: int) -> Speed:
        model, sources = self._model(pair), self._sources[pair]
        names = TemplateSet(templates) if templates else None
        decoder = Decoder(model.lm, model.weights.copy(), model.index, names, model.options.decode)
        started = time.perf_counter()
        entries = sum(len(kbest.values) for kbest in decoder.kbest(sources, k, threads=1))
        return Speed((time.perf_counter() - started) / len(sources), entries / len(sources))

    def _model(self, pair: int) -> TranslationModel:
        """Loaded, and its cache warmed by the sentences."""
        if pair not in self._models:
            model = TranslationModel(self._context.models[pair - 1])
            dev = next(iter(self._context.data[pair - 1].sets.values()))
            examples = read_examples(dev.source, dev.references, model.preprocessor)
            self._sources[pair] = [example.source for example in islice(examples, PROBES)]
            list(model.decoder.kbest(self._sources[pair], 1, threads=1))
            self._models[pair] = model
        return self._models[pair]


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
    if "passes" in options and "updates" in options:  # HOLS: gradients, line searches, the last MERT
        searched = min(options["search_sentences"], learnt // max(2, options["folds"]))
        rounds = options["updates"] * (options["search_iterations"] + 1)
        final = dev * (options["final_iterations"] + 1)
        first = min(options["start_sentences"], searched) * (options["start_iterations"] + 1)
        lists = options["passes"] * learnt + rounds * searched + first + final
        return Work(lists, options["updates"] * select + tested, max(searched, dev))
    if "pro" in options:  # OSCAR: the training data for tuples, then the dev set for the weights of groups
        rounds = options["iterations"]
        lists = rounds * (learnt + dev * (options["pro"].iterations + 1))
        return Work(lists, rounds * select + tested, dev)
    if "iterations" in options:
        return Work(learnt * (options["iterations"] + 1), options["iterations"] * select + tested, learnt)
    epochs = options.get("epochs", 1) * strengths
    return Work(learnt * epochs, epochs * select + tested, 0)


class Forecaster:
    """Adds up the runs of an experiment."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._prober = Prober(context)

    def forecast(self, levels: Sequence[Sequence[PlannedRun]], share: float = 1.0) -> Forecast:
        """Of the runs that have not been done yet.

        Args:
            levels: from `plan_runs`.
            share: of the sentences that are learnt from.
        """
        seconds, memory, disk, runs = 0.0, 0.0, 0.0, 0
        for level in levels:
            missing = [planned for planned in level if not planned.job.is_done]
            costs = [self._cost(planned, share) for planned in missing]
            processes = processes_for(self._context, len(missing))
            threads = self._context.threads if self._context.cluster == "local" else 1
            seconds += _makespan([cost.seconds for cost in costs], processes, threads)
            memory = max(memory, processes * max((cost.memory for cost in costs), default=0.0))
            disk += sum(cost.disk for cost in costs)
            runs += len(missing)
        return Forecast(seconds, memory + _own_memory(), disk, runs)

    def _cost(self, planned: PlannedRun, share: float) -> Forecast:
        job, pair = planned.job, planned.system[1]
        options = vars(learner_options(job.learner, job.values))
        work = self._work(job, options, pair, share)
        templates = job.files.templates or ()
        lists = self._prober.speed(pair, templates, int(options.get("k", 100)))
        best = self._prober.speed(pair, templates, 1)
        size = work.list_sentences * lists.entries * _BYTES_PER_ENTRY * _POOLED
        seconds = _LEARNING * work.learnt * lists.seconds + work.looked_at * best.seconds
        return Forecast(seconds, size, size, 1)

    def _work(self, job: SystemJob, options: Mapping[str, Any], pair: int, share: float) -> Work:
        data, files = self._context.data[pair - 1], job.files
        tuning = _lines(self._context, files.source, pair)
        train = (files.sentences or data.train.sentences) if files.on_train else 0
        learnt, dev = (train, tuning) if files.on_train else (tuning, 0)
        select = _lines(self._context, files.held_out_source, pair)
        select += sum(_lines(self._context, source, pair) for _, source, _ in files.watched)
        tested = sum(text.sentences for text in job.sets.values()) + job.seen
        return work_of(options, _cut(learnt, share), _cut(dev, share), select, tested)


def within(
    budget: float, forecaster: Forecaster, levels: Sequence[Sequence[PlannedRun]]
) -> tuple[float, Forecast]:
    """The largest share of the sentences that are learnt from with which the runs stay within a budget, and their forecast.

    Args:
        budget: seconds.
        forecaster: that knows the speeds.
        levels: the runs with all sentences.

    Raises:
        DemoticError: if even the least is too much.
    """
    full = forecaster.forecast(levels)
    if full.seconds <= budget:
        return 1.0, full
    low, high = 0.0, 1.0
    if forecaster.forecast(levels, low).seconds > budget:
        least = forecaster.forecast(levels, low)
        raise DemoticError(
            f"a budget of {duration(budget)} is too little: {LEAST} sentences a set would take {duration(least.seconds)}",
            hint="a larger --budget, or a smaller --scale",
        )
    for _ in range(30):
        middle = (low + high) / 2
        if forecaster.forecast(levels, middle).seconds <= budget:
            low = middle
        else:
            high = middle
    return low, forecaster.forecast(levels, low)


def shrink(experiment: Experiment, share: float, available: Mapping[str, int]) -> Experiment:
    """The experiment with a share of the sentences that are learnt from; what it is tested on stays.

    Args:
        experiment: at its scale.
        share: up to 1.
        available: sentences that there are of `dev` and `train`.
    """
    sizes = experiment.sizes
    dev = _cut(min(sizes.dev or available["dev"], available["dev"]), share)
    sentences = _cut(min(sizes.sentences or available["train"], available["train"]), share)
    return replace(experiment, sizes=replace(sizes, dev=dev, sentences=sentences))


def _cut(count: int, share: float) -> int:
    return min(count, max(LEAST, int(count * share)))


def _makespan(costs: Sequence[float], processes: int, threads: int) -> float:
    """Jobs on so many processes: the longest does not get shorter, and a single one uses all threads."""
    if not costs:
        return 0.0
    if processes == 1:
        return sum(costs) / max(1, threads)
    return max(sum(costs) / processes, max(costs))


def _lines(context: Context, source: Path | None, pair: int) -> int:
    sets = context.data[pair - 1].sets.values()
    return next((text.sentences for text in sets if text.source == source), 0)


def _own_memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)


def duration(seconds: float) -> str:
    """For people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 2 * 3600 else f"{seconds / 3600:.1f} h"


def parse_budget(text: str) -> float:
    """Seconds of `90s`, `45m`, `2h` or `1h30m`.

    Raises:
        DemoticError: for anything else.
    """
    match = re.fullmatch(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?", text.strip())
    parts = [float(part or 0) for part in match.groups()] if match else [0.0]
    if not match or sum(parts) <= 0:
        raise DemoticError(f"'{text}' is no time", hint="such as  --budget 45m  or  --budget 1h30m")
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def nominal_minutes(experiment: Experiment, threads: int = 2) -> float:
    """Minutes on a corpus like Multi30k and two cores: for `--list`, where nothing can be measured."""
    pairs_of_model = min(experiment.sizes.train or _NOMINAL.train, _NOMINAL.train)
    seconds = _NOMINAL_BASE * pairs_of_model / _NOMINAL.train * min(2, experiment.pairs)
    for row in experiment.systems():
        pairs = {column.pair for column in experiment.columns if column.pair} or {row.pair}
        runs = (row.replicas or experiment.sizes.replicas) * min(2, len(pairs))
        seconds += runs * _nominal_seconds(experiment, row) / threads
    return seconds / 60


def model_seconds(text: DataSet, threads: int) -> float:
    """About how long a model of some training text takes: alignment is nearly all of it, and linear in the text at most."""
    return _NOMINAL_BASE * text.source.stat().st_size / _NOMINAL_BYTES * 2 / max(1, min(2, threads))


_NOMINAL = Sizes(train=29_000, dev=1014, select=1000, test=1000, sentences=29_000)
_NOMINAL_BASE, _NOMINAL_BYTES = (
    60.0,
    2_100_000,
)  # seconds for alignment, language model and index of so much source text
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
    return _LEARNING * work.learnt * per_list + work.looked_at * _NOMINAL_SPEED
