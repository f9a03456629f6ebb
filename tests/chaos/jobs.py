"""The jobs that are disturbed: command lines on a corpus of 300 pairs, and the bytes that they leave."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.learn.registry import LEARNERS
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions

PAIRS, DEV, TUNED_ON = 300, 8, 30
_QUICK = {
    "epochs": 2,
    "iterations": 2,
    "k": 10,
    "shards": 2,
    "restarts": 1,
    "passes": 1,
    "samples": 50,
}
_QUICK_OF = {
    "hols": ["search_sentences=6", "search_k=10", "search_iterations=1", "start=model", "final_iterations=1"],
    "recipe": [
        "mert.iterations=1", "mert.restarts=1", "mert.k=10", "adagrad.epochs=1", "adagrad.k=10", "held_out=6",
    ],
    "oscar": ["pro.iterations=1", "pro.k=10", "dimension=20"],
    "l1": ["strengths=[0.001]"],
}  # fmt: skip
_EXPERIMENT = """
paper = "Nobody (2000), table 1"
title = "a tiny table"
corpus = "a corpus of the paper"
shuffles = 20
[base.align]
iterations = 0.2
[base.grammar]
features = "hiero8"
[sizes]
sentences = 20
[options.mert]
iterations = 1
k = 10
restarts = 1
[[columns]]
title = "test"
value = "bleu"
[[rows]]
id = "mert"
learner = "mert"
labels = { learner = "MERT" }
"""
# Clocks of this machine are in these; everything else must be the same.
_TIMED = (
    "metrics.jsonl",
    "clock.jsonl",  # of an experiment, like those below: seconds of learning, and whether it was interrupted
    "tuned.json",
    "learning-seconds.png",
    "learning-seconds.svg",
    "report.html",
    "report.key",
)
_TABLES = ("table.txt", "table.md", "table.tex")  # of an experiment: what they say is in `result.json`


@dataclass(frozen=True)
class Job:
    """A command that may be repeated until it succeeds.

    Attributes:
        name: for the table.
        arguments: of `demotic`, given the folder that it works in.
        prepare: puts into the folder what the command changes.
    """

    name: str
    arguments: Callable[[Path], list[str]]
    prepare: Callable[[Path], None] = lambda folder: None

    def result(self, folder: Path) -> dict[str, bytes]:
        """Every file that the command left, by name; without hidden ones, which are in the making, and without times."""
        files = (path for path in sorted((folder / "out").rglob("*")) if path.is_file())
        return {
            str(path.relative_to(folder)): _content(path)
            for path in files
            if path.name not in (*_TIMED, *_TABLES)
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        }


def _content(path: Path) -> bytes:
    """The bytes; of the result of an experiment without minutes and without the folders of models."""
    if path.name != "result.json":
        return path.read_bytes()
    result = json.loads(path.read_bytes())
    for system in result["systems"]:
        del system["minutes"], system["models"]
    table = result["table"]
    timed = table["header"].index("minutes")
    for row in (table["header"], *table["rows"]):
        del row[timed]
    return json.dumps(result).encode()


class Workshop:
    """A corpus and a model, made once, and the jobs on them.

    Args:
        folder: for both.
    """

    def __init__(self, folder: Path) -> None:
        self.corpus, self.model = folder / "corpus", folder / "model"
        self.experiment = folder / "tiny.toml"
        if not self.model.exists():
            write(self.corpus, EmbeddedOptions(train=PAIRS, dev=DEV, devtest=DEV, test=DEV))
            self.experiment.write_text(_EXPERIMENT)
            train(TrainInput(self.corpus / "train.de", self.corpus / "train.en"), self.model, TrainOptions())

    def jobs(self) -> list[Job]:
        """Training, every learner, an experiment, and learning from corrections."""
        return [
            Job("train", self._train),
            *(Job(f"tune {name}", self._tune(name)) for name in LEARNERS),
            Job("reproduce", self._reproduce),
            Job("learn", self._learn, self._copy_model),
        ]

    def job(self, name: str) -> Job:
        """By name."""
        return next(job for job in self.jobs() if job.name == name)

    def _pair(self, source: str, target: str, name: str) -> list[str]:
        return [source, str(self.corpus / f"{name}.de"), target, str(self.corpus / f"{name}.en")]

    def _train(self, folder: Path) -> list[str]:
        texts = [*self._pair("--src", "--tgt", "train"), *self._pair("--dev-src", "--dev-ref", "dev")]
        quick = ["--set", "iterations=1", "--set", "k=10", "--set", "restarts=1"]
        return ["train", *texts, "--learner", "mert", *quick, "--threads", "1", "--out", str(folder / "out")]

    def _tune(self, name: str) -> Callable[[Path], list[str]]:
        entry = LEARNERS[name]
        known = {field.name for field in fields(entry.options_type())}
        settings = [f"{key}={value}" for key, value in _QUICK.items() if key in known] + _QUICK_OF.get(
            name, []
        )
        command = ["tune", str(self.model), "--learner", name, "--features", "id,shape", "--threads", "1"]
        if entry.learns_on != "dev":
            command += ["--on-train", "--sentences", str(TUNED_ON)]
        if entry.learns_on in ("dev", "train and dev"):
            command += self._pair("--src", "--ref", "dev")
        for setting in settings:
            command += ["--set", setting]
        return lambda folder: [*command, "--out", str(folder / "out")]

    def _reproduce(self, folder: Path) -> list[str]:
        return ["reproduce", str(self.experiment), "--corpus", str(self.corpus), "--scale", "small", "--threads", "1",
                "--out", str(folder / "out")]  # fmt: skip

    def _learn(self, folder: Path) -> list[str]:
        return ["learn", str(folder / "out"), *self._pair("--src", "--tgt", "devtest")]

    def _copy_model(self, folder: Path) -> None:
        shutil.copytree(self.model, folder / "out", ignore=shutil.ignore_patterns("run"))
