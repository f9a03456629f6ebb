"""Readers of what demotic itself leaves or sends: logs, checkpoints, messages of workers, files of settings, requests."""

from __future__ import annotations

import asyncio
import gzip
import json
import lzma
import shutil
import warnings
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from target import Target

from demotic.adapt.calibrate import CalibrateOptions, fit_confidence
from demotic.adapt.confidence import FILE as CALIBRATION
from demotic.adapt.confidence import Confidence
from demotic.adapt.signals import signal_names
from demotic.base import DemoticError, read_lines
from demotic.base.run import damaged_outputs
from demotic.corpus.word_classes import WordClasses
from demotic.decode import TranslationModel
from demotic.decode.additions import append_record, read_additions
from demotic.decode.glossary import Glossary
from demotic.decode.verify import verify_model
from demotic.features import Weights
from demotic.features.packed_weights import PackedWeights
from demotic.learn.workers.state import State
from demotic.pipeline.search_space import read_space
from demotic.report.history import read_history
from demotic.reproduce.experiment import read_experiment
from demotic.serve.answers import Refusal
from demotic.serve.fields import read_fields
from demotic.serve.keys import Keys

_WEIGHTS = {"LanguageModel": 1.0, "id:a|b": 0.5, "id:c|d": -2.0}
_BOUNDARY = "x" * 20


def _fixed(content: bytes) -> Callable[[Path], bytes]:
    return lambda model: content


@cache
def _additions(model: Path) -> bytes:
    log = model / "fuzz.log"
    log.unlink(missing_ok=True)
    pair = {"do": "learn", "source": "a b", "target": "c", "links": "0-0", "weights": {"A": 0.5}}
    end = append_record(log, model / "index.bin", 0, pair)
    append_record(log, model / "index.bin", end, {"do": "undo", "last": 1})
    return log.read_bytes()


@cache
def _opened(folder: Path) -> TranslationModel:
    return TranslationModel(folder)


@cache
def _calibration(model: Path) -> bytes:
    opened = _opened(model)
    names = signal_names(opened.decoder.dense)
    signals = np.random.default_rng(1).normal(size=(200, len(names)))
    fit_confidence(names, signals, signals[:, 0] + 0.6, CalibrateOptions()).save(opened)
    content = (model / CALIBRATION).read_bytes()
    (model / CALIBRATION).unlink()
    return content


def _read_calibration(folder: Path) -> object:
    """As the verbs show it; most damage changes what the file says of the weights, which is a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return json.dumps(Confidence.load(_opened(folder)).to_json())


def _read_sealed(path: Path, model: Path) -> object:
    """A damaged record with the right checksum, as the second one of a log."""
    text = path.read_bytes()
    first, _, _ = _additions(model).partition(b"\n")
    path.write_bytes(first + b"\n%08x %08x " % (len(text), zlib.crc32(text)) + text + b"\n")
    return read_additions(path, model / "index.bin")


def _in_folder(name: str, read: Callable[[Path], object]) -> Callable[[Path, Path], object]:
    """A reader of a folder, in which the damaged file has this name."""

    def run(path: Path, model: Path) -> object:
        folder = path.parent / f"{path.stem}-folder"
        if not folder.exists():
            shutil.copytree(model, folder, ignore=shutil.ignore_patterns("run", "fuzz.*"))
        (folder / name).write_bytes(path.read_bytes())
        return read(folder)

    return run


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One for all requests: to make it takes longer than to read one."""
    return asyncio.new_event_loop()


def _request(kind: str) -> Callable[[Path, Path], None]:
    def read(path: Path, model: Path) -> None:
        from starlette.requests import Request

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": path.read_bytes(), "more_body": False}

        scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())]}
        try:
            fields = _loop().run_until_complete(read_fields(Request(scope, receive)))
            fields.texts("q")
            fields.number("alternatives", 0, 10)
        except Refusal as refusal:
            raise DemoticError(str(refusal)) from refusal

    return read


def _part(name: str, value: str) -> str:
    return f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'


_RECORD = b'{"do":"learn","source":"a b","target":"c","links":"0-0","weights":{"A":0.5},"index":"","pairs":1}'
_STAGE = json.dumps({"key": "0" * 32, "outputs": {"a": {"bytes": 3, "digest": "0" * 32}}}).encode()
_EVENTS = b'{"stage": "a", "seconds": 1.5}\n{"epoch": 1, "bleu": 0.5, "learner": "mert"}\n{"epoch": 2, "bleu": 0.6}\n'
_EXPERIMENT = (
    b'paper = "Nobody (2000)"\ntitle = "t"\ncorpus = "c"\nkind = "systems"\n[base.grammar]\nfeatures = "hiero8"\n'
    b'[options.mert]\niterations = 1\n[[columns]]\ntitle = "test"\nvalue = "bleu"\n[[rows]]\nid = "a"\nlearner = "mert"\n'
)
_SPACE = b'method = "random"\ntrials = 3\n[options]\nk = [10, 20]\n[options.learning_rate]\nlow = 0.1\nhigh = 1.0\nscale = "log"\n'

INNER_TARGETS = [
    Target("packed weights", lambda model: Weights.from_dict(_WEIGHTS).pack(), lambda path, model: Weights.unpack(PackedWeights(path.read_bytes()))),
    Target("state of a learner", lambda model: State(Weights.from_dict(_WEIGHTS).pack()).pack(), lambda path, model: Weights.unpack(State.unpack(path.read_bytes()).weights)),
    Target("log of additions", _additions, lambda path, model: read_additions(path, model / "index.bin")),
    Target("record of a log of additions", _fixed(_RECORD), _read_sealed, ".json"),
    Target("word classes", _fixed(b"das\t1\nhaus\t2\nbaum\t2\n"), lambda path, model: len(WordClasses.load(path, 50)), ".txt"),
    Target("glossary", _fixed(b"Haus\thouse\nalter Baum\told tree\n# c\n"), lambda path, model: len(Glossary.load(path)), ".tsv"),
    Target("keys", _fixed(b'[keys.a]\nkey = "0123456789abcdef"\nrequests_per_minute = 3\nlearn = true\n'), lambda path, model: Keys.load(path), ".toml"),
    Target("experiment", _fixed(_EXPERIMENT), lambda path, model: read_experiment(path, "small"), ".toml"),
    Target("search space", _fixed(_SPACE), lambda path, model: read_space(path), ".toml"),
    Target("checksums", lambda model: (model / "checksums.txt").read_bytes(), _in_folder("checksums.txt", verify_model), ".txt"),
    Target("record of a stage", _fixed(_STAGE), _in_folder("stage.json", damaged_outputs), ".json"),
    Target("events of a run", _fixed(_EVENTS), _in_folder("metrics.jsonl", read_history), ".jsonl"),
    Target("calibration", _calibration, _in_folder(CALIBRATION, _read_calibration), ".toml"),
    Target("gzip", _fixed(gzip.compress(b"a b\nc d\n" * 99, mtime=0)), lambda path, model: list(read_lines(path)), ".gz"),
    Target("xz", _fixed(lzma.compress(b"a b\nc d\n" * 99)), lambda path, model: list(read_lines(path)), ".xz"),
    Target("JSON request", _fixed(b'{"q": ["Haus", "Baum"], "source": "de", "target": "en", "alternatives": 2}'), _request("application/json"), ".json"),
    Target("form request", _fixed(b"q=Haus+%C3%A4&source=de&target=en&alternatives=2"), _request("application/x-www-form-urlencoded"), ".form"),
    Target("multipart request", _fixed((_part("q", "Haus") + _part("alternatives", "2") + f"--{_BOUNDARY}--\r\n").encode()), _request(f"multipart/form-data; boundary={_BOUNDARY}"), ".part"),
]  # fmt: skip
