"""`demotic translate`: raw text in, text out."""

from __future__ import annotations

import json as json_module
import sys
from contextlib import nullcontext
from itertools import islice, starmap, tee
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.base.files import atomic_write, read_lines
from demotic.base.progress import Progress
from demotic.cli.common import Threads, threads
from demotic.cli.constraining import PROTECTED, GlossaryFile, Protect, constrainer
from demotic.cli.mbr import DEFAULT_SCALE, DEFAULT_SIZE, Mbr, MbrScale, MbrSize, mbr_translations

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
    review_below: Annotated[
        float | None,
        typer.Option(
            "--review-below",
            min=0,
            max=1,
            help="Mark only translations whose confidence is below this number.",
        ),
    ] = None,
    kbest: Annotated[
        int, typer.Option("--kbest", min=1, help="Number of distinct translations per sentence.")
    ] = 1,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the derivation and the score of each rule.")
    ] = False,
    mbr: Mbr = None,
    mbr_scale: MbrScale = DEFAULT_SCALE,
    mbr_size: MbrSize = DEFAULT_SIZE,
    confidence: Annotated[
        bool,
        typer.Option(
            "--confidence",
            help="Print before each translation the probability that it is good enough (see `demotic calibrate`).",
        ),
    ] = False,
    glossary: GlossaryFile = None,
    protect: Protect = PROTECTED,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
    threads_: Threads = 0,
) -> None:
    """Translate raw text with a trained model."""
    from demotic.decode import TranslationModel

    if confidence and mbr:
        raise typer.BadParameter("--confidence judges the best translation of the model, not that of --mbr")
    loaded = TranslationModel(model)
    if files:
        from demotic.cli.translate_files import review_of, translate_files

        chosen = review_of(loaded, review, review_below)
        translate_files(loaded, files, output_dir, chosen, threads(threads_))
        return
    lines, read, judged = tee(read_lines(input), 3)
    constraints = starmap(constrainer(glossary, protect), enumerate(read, start=1))
    if explain:
        from demotic.cli.explain import explain_lines

        explain_lines(loaded, lines, constraints)
        return
    length, probability = kbest, None
    if confidence:
        from demotic.adapt.confidence import LIST, ConfidentModel

        length, probability = max(kbest, LIST), ConfidentModel(loaded).probability
    if mbr is None:
        lists = loaded.kbest(lines, length, threads(threads_), constraints)
    else:
        lists = mbr_translations(
            loaded, lines, kbest, mbr, mbr_scale, mbr_size, threads(threads_), constraints
        )
    with (
        Progress("translate", unit="lines") as bar,
        atomic_write(output) if output else nullcontext(sys.stdout) as file,
    ):
        for number, (line, found) in enumerate(zip(judged, lists, strict=True)):
            sure = None if probability is None else probability(line, found)
            for text in _lines(loaded, found, number, kbest, json, sure):
                file.write(text + "\n")
            bar.advance()


def _lines(
    model: TranslationModel, found: KBest, number: int, kbest: int, as_json: bool, sure: float | None
) -> list[str]:
    texts = [model.restore(words) for words in islice(found.sentences(), kbest)]
    if not texts:
        raise DemoticError(f"no translation was found for line {number + 1}")
    scored = list(zip(texts, found.scores, strict=False))
    if as_json:
        hypotheses = [{"text": text, "score": float(score)} for text, score in scored]
        result = {"id": number, "translations": hypotheses} | ({} if sure is None else {"confidence": sure})
        return [json_module.dumps(result, ensure_ascii=False)]
    before = "" if sure is None else f"{sure:.3f}\t"
    if kbest == 1:
        return [before + text for text in texts]
    return [f"{before}{number} ||| {text} ||| {score:.6g}" for text, score in scored]
