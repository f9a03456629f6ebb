"""`demotic train`."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from demotic.base.options import load_toml, options_from, options_to_dict
from demotic.cli.common import (
    Config,
    EpochLog,
    Json,
    SourceLanguage,
    StageLog,
    TargetLanguage,
    Threads,
    emit,
    table,
    threads,
)


def train(
    src: Annotated[
        Path, typer.Option("--src", help="Source text for training, one sentence a line (plain, .gz, .xz).")
    ],
    tgt: Annotated[Path, typer.Option("--tgt", help="Target text, as many lines.")],
    out: Annotated[Path, typer.Option("--out", help="The model: a folder.")],
    dev_src: Annotated[Path | None, typer.Option("--dev-src", help="Source text of the tuning set.")] = None,
    dev_ref: Annotated[
        list[Path] | None, typer.Option("--dev-ref", help="Its translation; repeat for several references.")
    ] = None,
    mono: Annotated[
        list[Path] | None,
        typer.Option("--mono", help="More target text for the language model; repeat for several files."),
    ] = None,
    vocabulary: Annotated[
        str | None,
        typer.Option(
            "--vocabulary",
            help="Words of --mono that the target text lacks: all keeps them, parallel makes them <unk>.",
            show_default="all",
        ),
    ] = None,
    src_lang: SourceLanguage = None,
    tgt_lang: TargetLanguage = None,
    tokenized: Annotated[bool, typer.Option("--tokenized", help="The text is tokenised already.")] = False,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner", help="Of the weights, on the tuning set; none: by hand.", show_default="mert"
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE: one option of the learner, as in the table [tune]; repeat."),
    ] = None,
    config: Config = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Same seed, same bytes.", show_default="1")
    ] = None,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Train a model from text. Run the same command again to go on after an interruption."""
    from demotic.cli.tune import parse_settings
    from demotic.lm import LmOptions
    from demotic.pipeline.train import TrainInput, TrainOptions
    from demotic.pipeline.train import train as run_training

    values = load_toml(config) if config else {}
    config_seed = values.pop("seed", 1)
    options = options_from(TrainOptions, values, file=config)
    given = {"source_language": src_lang, "target_language": tgt_lang, "tokenized": tokenized or None}
    changed = {name: value for name, value in given.items() if value is not None}
    options = replace(options, prepare=replace(options.prepare, **changed))  # type: ignore[arg-type]
    if vocabulary is not None:
        lm = {**options_to_dict(options.lm), "vocabulary": vocabulary}
        options = replace(options, lm=options_from(LmOptions, lm, prefix="lm."))
    if learner is not None:
        options = replace(options, learner=learner)
    options = replace(options, tune={**options.tune, **parse_settings(set_ or [])})
    if (dev_src is None) != (not dev_ref):
        raise typer.BadParameter("--dev-src and --dev-ref belong together")
    files = TrainInput(src, tgt, dev_src, dev_ref or [], mono or [])
    result = run_training(
        files,
        out,
        options,
        seed=config_seed if seed is None else seed,
        workers=threads(threads_),
        on_stage=StageLog(quiet=json),
        on_epoch=EpochLog(quiet=json),
    )
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
