"""`demotic train`: from two text files to a model, as a chain of resumable stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

import demotic
from demotic.align import AlignOptions, align
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write
from demotic.base.options import options_to_dict
from demotic.base.run import Run
from demotic.corpus import PrepareOptions, Preprocessor, build_bitext, prepare, prepare_lines, read_parallel
from demotic.corpus.preparation import SOURCE, TARGET

ALIGNMENT, BITEXT, MODEL = "train.align", "bitext.bin", "model.toml"


@dataclass(frozen=True)
class TrainOptions:
    """Options of the whole chain: one table per stage in the TOML file."""

    prepare: PrepareOptions = field(default_factory=PrepareOptions)
    align: AlignOptions = field(default_factory=AlignOptions)


@dataclass(frozen=True)
class TrainInput:
    """The files that a model is made of."""

    source: Path
    target: Path
    dev_source: Path | None = None
    dev_references: Sequence[Path] = ()


@dataclass(frozen=True)
class TrainResult:
    """Where the stages left their outputs, and how long those took that ran."""

    prepared: Path  # folder: train.src, train.tgt, summary.json
    dev: Path | None  # folder: dev.src, dev.ref0, ...
    alignment: Path
    bitext: Path
    seconds: dict[str, float]


def train(
    files: TrainInput,
    model: Pathish,
    options: TrainOptions,
    *,
    seed: int = 1,
    workers: int = 1,
    on_stage: Callable[[str, bool], None] | None = None,
) -> TrainResult:
    """Make a model folder; stages whose inputs have not changed are not repeated.

    Args:
        files: raw text, or tokenised text if `options.prepare.tokenized`.
        model: the folder; intermediate results lie in its sub-folder `run`.
        options: per stage.
        seed: for every stage where chance is involved.
        workers: processes; the result does not depend on it.
        on_stage: told `(name, reused)` as each stage begins.
    """
    folder = Path(model)
    with Run(folder / "run", on_stage) as run:
        _write_toml(run.folder / "config.toml", {"seed": seed, **options_to_dict(options)})
        prepared = run.stage(
            "prepare",
            lambda out: _prepare(files, out, options.prepare, workers),
            options=options.prepare,
            inputs={"source": files.source, "target": files.target},
        )
        dev = _dev_stage(run, files, prepared)
        source, target = prepared / SOURCE, prepared / TARGET
        aligned = run.stage(
            "align",
            lambda out: _ignore(align(source, target, out / ALIGNMENT, options.align, seed, workers)),
            options={**options_to_dict(options.align), "seed": seed},
            inputs={"source": source, "target": target},
        )
        bitext = run.stage(
            "bitext",
            lambda out: _ignore(build_bitext(source, target, aligned / ALIGNMENT, out / BITEXT)),
            inputs={"source": source, "target": target, "alignment": aligned / ALIGNMENT},
        )
        Preprocessor.load(prepared).save_tables(folder)
        # Last of all: a folder with a model.toml is a complete model.
        _write_toml(
            folder / MODEL, {"demotic": demotic.__version__, "seed": seed, **options_to_dict(options)}
        )
        return TrainResult(prepared, dev, aligned / ALIGNMENT, bitext / BITEXT, run.seconds)


def _prepare(files: TrainInput, out: Path, options: PrepareOptions, workers: int) -> None:
    prepare(read_parallel(files.source, files.target, tokenized=options.tokenized), out, options, workers)


def _dev_stage(run: Run, files: TrainInput, prepared: Path) -> Path | None:
    """The tuning set, prepared as the training text was."""
    if files.dev_source is None:
        return None
    tables = {path.name: path for path in sorted(prepared.iterdir()) if path.suffix in (".toml", ".txt")}
    references = {f"ref{i}": path for i, path in enumerate(files.dev_references)}
    inputs: dict[str, Pathish] = {"source": files.dev_source, **references, **tables}
    return run.stage("dev", lambda out: _prepare_dev(files, Preprocessor.load(prepared), out), inputs=inputs)


def _prepare_dev(files: TrainInput, preprocessor: Preprocessor, out: Path) -> None:
    assert files.dev_source is not None
    lines = prepare_lines(files.dev_source, out / "dev.src", preprocessor, "source")
    for i, reference in enumerate(files.dev_references):
        count = prepare_lines(reference, out / f"dev.ref{i}", preprocessor, "target")
        if count != lines:
            raise DemoticError(
                f"{count:,} lines, but {files.dev_source} has {lines:,}",
                reference,
                hint="every reference needs a line per sentence",
            )


def _write_toml(path: Path, values: dict[str, object]) -> None:
    with atomic_write(path) as file:
        file.write(tomli_w.dumps(values))


def _ignore(result: object) -> None:
    """Stages are judged by their files."""
