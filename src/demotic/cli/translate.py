"""`demotic translate`: raw text in, text out."""

from __future__ import annotations

import json as json_module
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.base.files import atomic_write, read_lines
from demotic.base.progress import Progress
from demotic.cli.common import Threads, threads

if TYPE_CHECKING:
    from demotic.decode import KBest, TranslationModel


def translate(
    model: Annotated[Path, typer.Argument(help="Model folder, from `demotic train` or `demotic tune`.")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files to translate by their format: .po .xliff .tmx .tsv .srt .html .md .txt.",
            show_default="text from --input",
        ),
    ] = None,
    input: Annotated[
        Path, typer.Option("--input", help="Raw text, one sentence per line.", show_default="standard input")
    ] = Path("/dev/stdin"),
    output: Annotated[
        Path | None, typer.Option("--output", help="Output file.", show_default="standard output")
    ] = None,
    output_dir: Annotated[
        Path | None,
        typer.Option(
            "--output-dir", help="Folder for translated files.", show_default="beside the originals"
        ),
    ] = None,
    review: Annotated[
        bool,
        typer.Option("--review", help="Mark translations in files for review, such as `fuzzy` in .po files."),
    ] = False,
    kbest: Annotated[
        int, typer.Option("--kbest", min=1, help="Number of distinct translations per sentence.")
    ] = 1,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the derivation and the score of each rule.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
    threads_: Threads = 0,
) -> None:
    """Translate raw text with a trained model."""
    from demotic.decode import TranslationModel

    loaded = TranslationModel(model)
    if files:
        from demotic.cli.translate_files import translate_files

        translate_files(loaded, files, output_dir, review, threads(threads_))
        return
    if explain:
        from demotic.cli.explain import explain_lines

        explain_lines(loaded, read_lines(input))
        return
    with (
        Progress("translate", unit="lines") as bar,
        atomic_write(output) if output else nullcontext(sys.stdout) as file,
    ):
        for number, found in enumerate(loaded.kbest(read_lines(input), kbest, threads(threads_))):
            for line in _lines(loaded, found, number, kbest, json):
                file.write(line + "\n")
            bar.advance()


def _lines(model: TranslationModel, found: KBest, number: int, kbest: int, as_json: bool) -> list[str]:
    texts = [model.restore(words) for words in found.sentences()]
    if not texts:
        raise DemoticError(f"no translation was found for line {number + 1}")
    if as_json:
        hypotheses = [
            {"text": text, "score": float(score)} for text, score in zip(texts, found.scores, strict=True)
        ]
        return [json_module.dumps({"id": number, "translations": hypotheses}, ensure_ascii=False)]
    if kbest == 1:
        return texts
    return [f"{number} ||| {text} ||| {score:.6g}" for text, score in zip(texts, found.scores, strict=True)]
