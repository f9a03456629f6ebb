"""`demotic train`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.extras import need_extra
from demotic.base.options import load_toml, options_from, options_to_dict
from demotic.cli.common import (
    Config,
    EpochLog,
    Json,
    SourceLanguage,
    StageLog,
    TargetLanguage,
    Threads,
    Tokenized,
    emit,
    table,
    threads,
)
from demotic.cli.settings import parse_settings

if TYPE_CHECKING:
    from demotic.pipeline.train import TrainResult
    from demotic.pipeline.train_options import TrainOptions


Source = Annotated[
    Path,
    typer.Option(
        "--src", help="Source side of the training corpus, one sentence per line (plain, .gz, .xz)."
    ),
]
Target = Annotated[Path, typer.Option("--tgt", help="Target side; line N translates line N of --src.")]
Out = Annotated[Path, typer.Option("--out", help="Folder for the model.")]
DevSource = Annotated[Path | None, typer.Option("--dev-src", help="Source side of the dev set.")]
DevReferences = Annotated[
    list[Path] | None,
    typer.Option("--dev-ref", help="Reference translation of the dev set; repeat for several references."),
]
Mono = Annotated[
    list[Path] | None,
    typer.Option("--mono", help="Additional target text for the language model; repeatable."),
]
GivenAlignment = Annotated[
    Path | None,
    typer.Option(
        "--align",
        help="Existing word alignment of the training text, in Pharaoh format; without it the text is aligned.",
    ),
]
Vocabulary = Annotated[
    str | None,
    typer.Option(
        "--vocabulary",
        help="Vocabulary of the language model: `all` words, or only those of the `parallel` text (others become <unk>).",
        show_default="all",
    ),
]
Classes = Annotated[
    str | None,
    typer.Option(
        "--classes",
        help="Make word classes for templates: how many, e.g. 50; separate several numbers by commas.",
    ),
]
ClassLm = Annotated[
    str | None,
    typer.Option(
        "--class-lm",
        help="Add a language model over N word classes as a feature, e.g. 200; separate several numbers by commas.",
    ),
]
LearnerName = Annotated[
    str | None,
    typer.Option(
        "--learner",
        help="Learner that tunes the weights on the dev set (see `demotic learners`); `none` keeps the defaults.",
        show_default="mert",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", help="KEY=VALUE: set an option of the learner, as in the table \\[tune]; repeatable."
    ),
]
OptionalSeed = Annotated[
    int | None,
    typer.Option("--seed", min=0, help="Random seed; the output is reproducible.", show_default="1"),
]


def train(
    src: Source,
    tgt: Target,
    out: Out,
    dev_src: DevSource = None,
    dev_ref: DevReferences = None,
    mono: Mono = None,
    align: GivenAlignment = None,
    vocabulary: Vocabulary = None,
    src_lang: SourceLanguage = None,
    tgt_lang: TargetLanguage = None,
    tokenized: Tokenized = False,
    classes: Classes = None,
    class_lm: ClassLm = None,
    learner: LearnerName = None,
    set_: Settings = None,
    config: Config = None,
    seed: OptionalSeed = None,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Train a model from parallel text. An interrupted run resumes when the command is repeated."""
    need_extra("train")
    from demotic.corpus.word_classes import parse_sizes
    from demotic.pipeline.train import train as run_training
    from demotic.pipeline.train_options import TrainInput

    if (dev_src is None) != (not dev_ref):
        raise typer.BadParameter("--dev-src and --dev-ref must be given together")
    given = {"source_language": src_lang, "target_language": tgt_lang, "tokenized": tokenized or None}
    options, config_seed = _options(config, given, vocabulary, learner, set_ or [])
    if classes is not None:
        options = replace(options, features=replace(options.features, classes=parse_sizes(classes)))
    if class_lm is not None:
        options = replace(options, class_lm=replace(options.class_lm, classes=parse_sizes(class_lm)))
    files = TrainInput(src, tgt, dev_src, dev_ref or [], mono or [], align)
    result = run_training(
        files,
        out,
        options,
        seed=config_seed if seed is None else seed,
        workers=threads(threads_),
        on_stage=StageLog(quiet=json),
        on_epoch=EpochLog(quiet=json),
    )
    _print_result(result, out, json)


def _options(
    config: Path | None,
    prepare: Mapping[str, object],
    vocabulary: str | None,
    learner: str | None,
    settings: list[str],
) -> tuple[TrainOptions, int]:
    """Options and seed of the config file; options of the command line, unless None, override them."""
    from demotic.lm import LmOptions
    from demotic.pipeline.train_options import TrainOptions

    values = load_toml(config) if config else {}
    seed = values.pop("seed", 1)
    options = options_from(TrainOptions, values, file=config)
    changed = {name: value for name, value in prepare.items() if value is not None}
    options = replace(options, prepare=replace(options.prepare, **changed))  # type: ignore[arg-type]
    if vocabulary is not None:
        lm = {**options_to_dict(options.lm), "vocabulary": vocabulary}
        options = replace(options, lm=options_from(LmOptions, lm, prefix="lm."))
    if learner is not None:
        options = replace(options, learner=learner)
    return replace(options, tune={**options.tune, **parse_settings(settings)}), seed


def _print_result(result: TrainResult, out: Path, json: bool) -> None:
    """Stages with their time, and the size of the monolingual text."""
    rows = [(name, f"{seconds:.1f} s") for name, seconds in result.seconds.items()]
    plain: dict[str, object] = {
        "model": str(out),
        "seconds": result.seconds,
        "alignment": str(result.alignment),
        "bitext": str(result.bitext),
    }
    tables = [table(f"Model: {out}", ["stage", "time"], rows or [("nothing to do", "")])]
    if result.monolingual is not None:
        plain["mono"] = asdict(result.monolingual)
        counts = [("lines with words", result.monolingual.lines), ("words", result.monolingual.words)]
        tables.append(table("Monolingual text", ["", ""], counts))
    emit(plain, tables, json)
