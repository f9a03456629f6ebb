"""`demotic train`: from two text files to a model, as a chain of resumable stages."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

import demotic
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, open_binary
from demotic.base.options import options_to_dict
from demotic.base.run import OnStage, Run
from demotic.cluster import executor
from demotic.corpus import MonolingualSummary, Preprocessor
from demotic.corpus.word_classes import checked_sizes
from demotic.decode import TranslationModel
from demotic.decode.model_folder import ALIGN, INDEX, LM, MONO, WEIGHTS, ModelFolder
from demotic.decode.options import weights_by_hand
from demotic.features import Weights, class_sizes
from demotic.learn import Learner, LearnSettings, TuningTask, read_examples
from demotic.learn.registry import make_learner
from demotic.pipeline.train_options import TrainInput, TrainOptions
from demotic.pipeline.train_stages import TrainStages
from demotic.pipeline.tune import warn_of_leaked_examples


@dataclass(frozen=True)
class TrainResult:
    """Where the stages left their outputs, and how long those took that ran."""

    prepared: Path  # folder: train.src, train.tgt, summary.json
    dev: Path | None  # folder: dev.src, dev.ref0, ...
    alignment: Path
    bitext: Path
    lm: Path
    index: Path
    seconds: dict[str, float]
    classes: tuple[Path, ...] = ()  # of words, both sides of each size
    class_lms: tuple[Path, ...] = ()  # language models over classes
    mono: Path | None = None  # prepared monolingual text
    monolingual: MonolingualSummary | None = None  # what it holds


def train(
    files: TrainInput,
    model: Pathish,
    options: TrainOptions | None = None,
    *,
    seed: int = 1,
    workers: int = 1,
    on_stage: OnStage | None = None,
    on_epoch: Callable[[Mapping[str, Any]], None] | None = None,
) -> TrainResult:
    """Make a model folder; stages whose inputs have not changed are not repeated.

    Args:
        files: raw text, or tokenised text if `options.prepare.tokenized`.
        model: the folder; intermediate results lie in its sub-folder `run`.
        options: per stage.
        seed: for every stage where chance is involved.
        workers: processes; the result does not depend on it.
        on_stage: told `(name, seconds)` as each stage ends, None for one that was done before; learning is one stage, `tune`.
        on_epoch: told a row of figures after each epoch of the learner.
    """
    folder = Path(model)
    options = options or TrainOptions()
    learner = _learner(options)  # a wrong name or option is refused before any work is done
    wanted = options.features.classes, class_sizes(options.features.templates), options.class_lm.classes
    sizes = checked_sizes([size for sizes in wanted for size in sizes])
    for path in [*files.mono, *([files.alignment] if files.alignment else [])]:
        open_binary(path).close()  # so is a file that is not there
    with Run(folder / "run", on_stage) as run:
        _write_toml(run.folder / "config.toml", {"seed": seed, **options_to_dict(options)})
        stages = TrainStages(run, files, options, seed, workers)
        result = TrainResult(
            prepared=stages.prepare(),
            dev=stages.dev(),
            mono=stages.mono(),
            monolingual=stages.monolingual(),
            alignment=stages.align(),
            bitext=stages.bitext(),
            lm=stages.lm(),
            index=stages.index(),
            classes=stages.classes(sizes),
            class_lms=stages.class_lms(),
            seconds=run.seconds,
        )
        _publish(
            result, ModelFolder(folder), options, seed, tunes=learner is not None and result.dev is not None
        )
    if learner is not None and result.dev is not None:
        with Run(folder / "run" / "tune", digests=run.digests) as tuning:
            started = time.perf_counter()
            _tune(result.dev, folder, options, learner, tuning, seed, workers, on_epoch)
        # Not the sum of its stages: some of them are parts of others.
        seconds = time.perf_counter() - started if tuning.seconds else None
        result.seconds.update({"tune": seconds} if seconds else {})
        if on_stage is not None:
            on_stage("tune", seconds)
    return result


def _learner(options: TrainOptions) -> Learner | None:
    """The learner that the options name, with its own options; None for `none`."""
    if options.learner != "none":
        return make_learner(options.learner, options.tune)
    if options.tune:
        raise DemoticError(
            f"options of a learner ({', '.join(options.tune)}), but none is to run",
            hint="choose one with --learner, or leave --set and the table [tune] out",
        )
    return None


def _publish(result: TrainResult, model: ModelFolder, options: TrainOptions, seed: int, tunes: bool) -> None:
    """Put together the model folder, which can be moved without `run`."""
    values = {"demotic": demotic.__version__, "seed": seed, **options_to_dict(options)}
    weights = None if _has_weights(model, values, tunes) else _weights_by_hand(options)
    saved = result.alignment.with_name(ALIGN)
    parts = {
        LM: result.lm,
        INDEX: result.index,
        MONO: result.mono,
        ALIGN: saved if saved.exists() else None,  # only our own aligner leaves one
        **{path.name: path for path in (*result.classes, *result.class_lms)},
    }
    model.write(values, parts, Preprocessor.load(result.prepared), weights)


def _has_weights(model: ModelFolder, values: Mapping[str, object], tunes: bool) -> bool:
    """Whether the weights that lie here are of this very model: by hand or, if a learner is to run, those that it found before."""
    if not (model.is_complete and model.part(WEIGHTS)):
        return False
    before = dict(model.values)
    are_tuned = before.pop("tuned", None) is not None
    return before == values and (tunes or not are_tuned)


def _weights_by_hand(options: TrainOptions) -> Weights:
    return Weights.from_dict(weights_by_hand(options.grammar.features, options.class_lm.classes))


def _tune(
    dev: Path,
    folder: Path,
    options: TrainOptions,
    learner: Learner,
    run: Run,
    seed: int,
    workers: int,
    on_epoch: Callable[[Mapping[str, Any]], None] | None,
) -> None:
    """Learn the weights of a model on its tuning set."""
    model = TranslationModel(folder)
    examples = read_examples(dev / "dev.src", sorted(dev.glob("dev.ref*")), preprocessor=None)
    warn_of_leaked_examples(model.index, examples, "tuning set", model.mono)
    start = _weights_by_hand(options).pack()  # also where this has ended before, and the model has others
    task = TuningTask(folder, options.features.templates, examples, initial_weights=start)
    with executor("local", workers) as threads:
        settings = LearnSettings(run, threads, seed, on_epoch or (lambda row: None), models={folder: model})
        tuned = learner.fit(task, settings)
    how = {"learner": learner.name, "epoch": tuned.epoch, "seed": seed}
    model.set_weights(Weights.unpack(tuned.weights), how)


def _write_toml(path: Path, values: dict[str, object]) -> None:
    with atomic_write(path) as file:
        file.write(tomli_w.dumps(values))
