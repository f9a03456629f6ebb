"""One run of an optimiser: learn weights, translate the test sets with them, say what it took."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from demotic.base.digests import file_digest
from demotic.base.files import atomic_write, make_folder, read_lines
from demotic.base.json_text import parse_json
from demotic.base.log_file import LOG, log_to
from demotic.base.run import Run
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.decode.model_folder import MODEL_TOML, WEIGHTS
from demotic.decode.options import TranslateOptions
from demotic.features import Weights
from demotic.learn import Example, read_examples
from demotic.learn.registry import make_learner
from demotic.pipeline.tune import TuneInput, tune
from demotic.pipeline.usage import Usage, feature_usage
from demotic.reproduce.data import DataSet
from demotic.reproduce.diagnostics.seen_pairs import seen_pairs
from demotic.reproduce.experiment import Decoding

SEEN = "seen"
_TUNED, _CLOCK = "tuned.json", "clock.jsonl"
_CHOICES = {"best": TranslateOptions(mbr="none"), "consensus": TranslateOptions(mbr="consensus")}


@dataclass(frozen=True)
class Outcome:
    """What came out of a run.

    Attributes:
        model: folder.
        epoch: that was chosen.
        features: weights that are not 0.
        tune_bleu: of what was learnt from, as the learner saw it; None if it does not say.
        seconds: of learning, by the clock on the wall.
        was_interrupted: it was killed in between, so that it took longer than `seconds` and `cpu_seconds`.
        history: a row per epoch.
        outputs: tokenised translations by set.
        references: tokenised references by set, one list for each.
        usage: active features, and those of them that occur in long lists of the test set; None: nobody asked.
        cpu_seconds: of learning, of all its threads; None: nobody counted (on a cluster, or by an earlier version).
    """

    model: Path
    epoch: int
    features: int
    tune_bleu: float | None
    seconds: float
    was_interrupted: bool
    history: list[dict[str, Any]]
    outputs: dict[str, list[str]] = field(default_factory=dict)
    references: dict[str, list[list[str]]] = field(default_factory=dict)
    usage: Usage | None = None
    cpu_seconds: float | None = None

    @property
    def cpu_minutes(self) -> float | None:
        """Of learning, if they were counted."""
        return None if self.cpu_seconds is None else self.cpu_seconds / 60


@dataclass(frozen=True)
class TestText:
    """A set of sentences, and how their translations are chosen."""

    __test__ = False  # not a class of tests

    data: DataSet
    decode: Decoding = "model"


@dataclass(frozen=True)
class SystemJob:
    """What a process is told.

    Attributes:
        title: for people.
        files: what is learnt from.
        learner: name.
        values: its options.
        out: folder of the tuned model; its name stands for everything that the result depends on.
        seed: of the learner.
        data_seed: of the training pairs that are drawn.
        texts: that are translated, by the name of the translations.
        seen: so many training pairs are translated by a grammar that knows them; 0: none.
        not_seen: so many others may have been learnt from.
        usage_on: in whose long lists active features are looked for; None: in none.
        usage_k: length of these lists.
        cluster: where shards run.
        threads: of this job.
        has_log: its messages go to a file.
    """

    title: str
    files: TuneInput
    learner: str
    values: Mapping[str, Any]
    out: Path
    seed: int
    data_seed: int
    texts: Mapping[str, TestText]
    seen: int = 0
    not_seen: int = 0
    usage_on: DataSet | None = None
    usage_k: int = 0
    cluster: str = "local"
    threads: int = 1
    has_log: bool = False

    def run(self) -> Outcome:
        """Do what has not been done before."""
        folder = make_folder(self.out)
        with log_to(folder / LOG if self.has_log else None):
            tuned = self._tuned() or self._tune()
            return self._translated(Outcome(model=self.out, **tuned))

    @property
    def is_done(self) -> bool:
        """Whether learning has ended; what is left is to translate."""
        return self._tuned() is not None

    def _tuned(self) -> dict[str, Any] | None:
        try:
            found = parse_json((self.out / _TUNED).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return cast(dict[str, Any], found) if isinstance(found, dict) else None

    def _tune(self) -> dict[str, Any]:
        clock = Clock(self.out / _CLOCK)
        with clock, executor(self.cluster, self.threads) as workers:
            learner = make_learner(self.learner, self.values)
            tuned = tune(self.files, learner, self.out, workers, seed=self.seed, data_seed=self.data_seed)
        row = tuned.history[tuned.epoch - 1]
        spent, was_interrupted = clock.read()
        result = {
            "epoch": tuned.epoch,
            "features": len(Weights.unpack(tuned.weights)),
            "tune_bleu": next(
                (row[key] for key in ("bleu", "search_bleu", "train_bleu") if key in row), None
            ),
            "seconds": spent.wall,
            "cpu_seconds": spent.cpu if self.cluster == "local" else None,
            "was_interrupted": was_interrupted,
            "history": tuned.history,
        }
        with atomic_write(self.out / _TUNED) as file:
            json.dump(result, file)
        return result

    def _translated(self, outcome: Outcome) -> Outcome:
        """Translations of all sets, from disk where they have been made before."""
        outputs, references, usage = {}, {}, None
        with Run(self.out / "translations") as run:
            model = _LazyModel(self.out)
            for name, text in self.texts.items():
                data = text.data
                inputs = {"source": data.source, **{path.name: path for path in data.references}}
                outputs[name], references[name] = self._stage(run, f"{name}-{data.key}", model, inputs, text)
            if self.seen:
                outputs[SEEN], references[SEEN] = self._stage(
                    run, f"{SEEN}-{self.seen}-{self.not_seen}", model, {}, None
                )
            if self.usage_on:
                usage = self._usage(run, model, self.usage_on)
        return replace(outcome, outputs=outputs, references=references, usage=usage)

    def _stage(
        self, run: Run, name: str, model: _LazyModel, inputs: Mapping[str, Path], text: TestText | None
    ) -> tuple[list[str], list[list[str]]]:
        def work(folder: Path) -> None:
            examples = self._seen(model) if text is None else model.examples(text.data)
            decode = "model" if text is None else text.decode
            _write_lines(folder / "output", model.translate(examples, decode, self.threads))
            for i in range(len(examples[0].references)):
                _write_lines(folder / f"ref{i}", [example.references[i] for example in examples])

        options = {**self._weights(), "data_seed": self.data_seed if text is None else None}
        folder = run.stage(name, work, options=options, inputs=inputs)
        references = [list(read_lines(path)) for path in sorted(folder.glob("ref*"))]
        return list(read_lines(folder / "output")), references

    def _seen(self, model: _LazyModel) -> list[Example]:
        return seen_pairs(model.get(), self.seen, self.not_seen, self.data_seed)

    def _usage(self, run: Run, model: _LazyModel, text: DataSet) -> Usage:
        def work(folder: Path) -> None:
            found = feature_usage(model.get(), read_lines(text.source), self.usage_k, self.threads)
            counts = replace(
                found, decoding_seconds=0.0, tuning_seconds=0.0
            )  # stages are functions of their inputs
            (folder / "usage.json").write_text(json.dumps(asdict(counts)), "utf-8")

        options = {**self._weights(), "k": self.usage_k}
        folder = run.stage(f"usage-{text.key}", work, options=options, inputs={"source": text.source})
        return Usage(**json.loads((folder / "usage.json").read_text("utf-8")))

    def _weights(self) -> dict[str, str]:
        return {name: file_digest(self.out / name) for name in (WEIGHTS, MODEL_TOML)}


class _LazyModel:
    """The tuned model, loaded when something is left to translate."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model: TranslationModel | None = None

    def get(self) -> TranslationModel:
        if self._model is None:
            self._model = TranslationModel(self._folder)
        return self._model

    def examples(self, text: DataSet) -> list[Example]:
        return read_examples(text.source, text.references, self.get().preprocessor)

    def translate(self, examples: Sequence[Example], decode: Decoding, threads: int) -> list[str]:
        model = self.get()
        jobs = ((example.source, ()) for example in examples)
        choice = model.choice(how=_CHOICES.get(decode))
        return [" ".join(kbest.sentence(0)) for kbest in model.decoder.lists(jobs, choice, threads=threads)]


@dataclass(frozen=True)
class Spent:
    """Seconds: by the clock on the wall, and of processors (this process with its threads, and processes that it waited for)."""

    wall: float = 0.0
    cpu: float = 0.0

    @classmethod
    def until_now(cls) -> Spent:
        """Since the process began, or the clock did."""
        used = os.times()
        return cls(time.perf_counter(), used.user + used.system + used.children_user + used.children_system)


class Clock:
    """Seconds over all attempts: a line when one begins, and one when it ends. A killed attempt has no end."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> None:
        self._started = Spent.until_now()
        self._write({"began": True})

    def __exit__(self, *error: object) -> None:
        now = Spent.until_now()
        self._write({"seconds": now.wall - self._started.wall, "cpu_seconds": now.cpu - self._started.cpu})

    def read(self) -> tuple[Spent, bool]:
        """All seconds known, and whether some are not."""
        lines = self._file.read_text("utf-8", errors="replace").splitlines()
        ends: list[Spent] = []
        for line in lines:
            with contextlib.suppress(
                ValueError, KeyError, TypeError
            ):  # a beginning, or cut off when the disk was full
                end = parse_json(line)
                ends.append(Spent(float(end["seconds"]), float(end["cpu_seconds"])))
        total = Spent(sum(end.wall for end in ends), sum(end.cpu for end in ends))
        return total, len(lines) > 2 * len(ends)

    def _write(self, event: Mapping[str, Any]) -> None:
        with open(self._file, "a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")


def _write_lines(path: Path, lines: Sequence[str]) -> None:
    with atomic_write(path) as file:
        file.writelines(line + "\n" for line in lines)
