"""What a run will cost, from twenty probe sentences: time, memory, disk.

Decoding is nearly all of the cost, and how often each learner decodes each sentence is known from its options. So the forecast is
sentences x passes x seconds a sentence, where the seconds are measured with the features and the list length of each row.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from demotic.base.files import Pathish
from demotic.decode import Decoder, TranslationModel
from demotic.features import TemplateSet, class_sizes
from demotic.learn import DataSizes, make_learner, read_examples
from demotic.reproduce.context import Context
from demotic.reproduce.learning_cost import LEARNING
from demotic.reproduce.system_job import SystemJob
from demotic.reproduce.systems import PlannedRun, processes_for

PROBES = 20  # sentences
LEAST = 20  # sentences that a budget leaves of each set
_CACHE_OVERHEAD = 2.5  # a rule of thumb: gaps between blocks, and patterns that each fold has for itself
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
        self._models: dict[Path, TranslationModel] = {}
        self._sources: dict[Path, list[str]] = {}
        # Seconds that a sentence takes longer when its rules are not in the cache.
        self._cold: dict[Path, float] = {}
        self._known: dict[tuple[Path, tuple[str, ...], int], Speed] = {}

    def speed(self, run: PlannedRun, k: int) -> Speed:
        """Of a run with lists of k."""
        templates = tuple(run.job.files.templates or ())
        key = run.model, templates, k
        if key not in self._known:
            self._known[key] = self._measure(run, templates, k)
        return self._known[key]

    def cache(self, run: PlannedRun, sentences: int) -> float:
        """Bytes of rules that are kept after so many different sentences, at most: later ones share more with those before."""
        index = self._model(run).index
        return min(index.options.cache_mb << 20, sentences * index.extractor.cache_bytes / PROBES)

    def _measure(self, run: PlannedRun, templates: tuple[str, ...], k: int) -> Speed:
        model = self._model(run)
        sources = self._sources[run.model]
        measured = [name for name in templates if not class_sizes([name])]  # word classes are made later
        names = TemplateSet(measured) if measured else None
        decoder = Decoder(model.lms, model.weights.copy(), model.index, names, model.options.decode)
        seconds, entries = _timed(decoder, sources, k)
        return Speed(seconds + self._cold[run.model], entries)

    def _model(self, run: PlannedRun) -> TranslationModel:
        """Loaded; its sentences are decoded twice, to see what finding their rules costs."""
        folder, pair = run.model, run.system[1]
        if folder not in self._models:
            model = TranslationModel(folder)
            dev = next(iter(self._context.data[pair - 1].sets.values()))
            examples = read_examples(dev.source, dev.references, model.preprocessor)
            self._sources[folder] = [example.source for example in islice(examples, PROBES)]
            first, again = (_timed(model.decoder, self._sources[folder], 1)[0] for _ in range(2))
            self._cold[folder] = max(0.0, first - again)
            self._models[folder] = model
        return self._models[folder]


def _timed(decoder: Decoder, sources: Sequence[str], k: int) -> tuple[float, float]:
    """CPU seconds, which other work on the machine hardly changes, and entries of the feature matrix; both a sentence."""
    started = time.process_time()
    entries = sum(len(kbest.values) for kbest in decoder.kbest(sources, k, threads=1))
    return (time.process_time() - started) / len(sources), entries / len(sources)


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
        return Forecast(seconds, memory, disk, runs)

    def _cost(self, planned: PlannedRun, share: float) -> Forecast:
        job, pair = planned.job, planned.system[1]
        learnt = self._learnt(job, pair, share)
        tested = sum(text.data.sentences for text in job.texts.values()) + job.seen
        work = make_learner(job.learner, job.values).decodings(learnt)
        lists, best = (self._prober.speed(planned, k) for k in (work.k, 1))
        size = work.in_memory * lists.entries * _BYTES_PER_ENTRY * _POOLED
        seconds = LEARNING * work.lists * lists.seconds + (work.looked_at + tested) * best.seconds
        different = learnt.learnt + learnt.dev + learnt.select + tested
        memory = _own_memory() + size + _CACHE_OVERHEAD * self._prober.cache(planned, different)
        return Forecast(seconds, memory, size, 1)

    def _learnt(self, job: SystemJob, pair: int, share: float) -> DataSizes:
        """What a run learns from, cut down to a share."""
        data, files = self._context.data[pair - 1], job.files
        tuning = _lines(self._context, files.source, pair)
        train = (files.sentences or data.train.sentences) if files.on_train else 0
        learnt, dev = (train, tuning) if files.on_train else (tuning, 0)
        select = _lines(self._context, files.held_out_source, pair)
        select += sum(_lines(self._context, source, pair) for _, source, _ in files.watched)
        return DataSizes(share_of(learnt, share), share_of(dev, share), select)


def _makespan(costs: Sequence[float], processes: int, threads: int) -> float:
    """Jobs on so many processes: the longest does not get shorter, and a single one uses all threads."""
    if not costs:
        return 0.0
    if processes == 1:
        return sum(costs) / max(1, threads)
    return max(sum(costs) / processes, max(costs))


def _lines(context: Context, source: Pathish | None, pair: int) -> int:
    sets = context.data[pair - 1].sets.values()
    return next((text.sentences for text in sets if text.source == source), 0)


def _own_memory() -> float:
    """Of this process, which has loaded a model as each run does."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)


def share_of(count: int, share: float) -> int:
    """Sentences that a share leaves of a set."""
    return min(count, max(LEAST, int(count * share)))


def duration(seconds: float) -> str:
    """For people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 2 * 3600 else f"{seconds / 3600:.1f} h"
