"""`demotic translate`: raw text in, text out."""

from __future__ import annotations

from itertools import starmap, tee
from pathlib import Path
from typing import Annotated

import typer

from demotic.base.files import read_lines
from demotic.cli.common import Threads, threads
from demotic.cli.constraining import PROTECTED, GlossaryFile, Protect, constrainer
from demotic.cli.mbr import Mbr, MbrScale, MbrSize, choice_of
from demotic.cli.translate_text import Printing, write_translations

Model = Annotated[Path, typer.Argument(help="Model folder, from `demotic train` or `demotic tune`.")]
Files = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Files to translate by their format: .po .xliff .tmx .tsv .srt .html .md .txt.",
        show_default="text from --input",
    ),
]
Input = Annotated[
    Path, typer.Option("--input", help="Raw text, one sentence per line.", show_default="standard input")
]
Output = Annotated[Path | None, typer.Option("--output", help="Output file.", show_default="standard output")]
OutputDir = Annotated[
    Path | None,
    typer.Option("--output-dir", help="Folder for translated files.", show_default="beside the originals"),
]
Review = Annotated[
    bool,
    typer.Option("--review", help="Mark translations in files for review, such as `fuzzy` in .po files."),
]
ReviewBelow = Annotated[
    float | None,
    typer.Option(
        "--review-below",
        min=0,
        max=1,
        help="Mark only translations whose confidence is below this number.",
    ),
]
KBestSize = Annotated[
    int, typer.Option("--kbest", min=1, help="Number of distinct translations per sentence.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Show the derivation and the score of each rule.")]
Confident = Annotated[
    bool,
    typer.Option(
        "--confidence",
        help="Print before each translation the probability that it is good enough (see `demotic calibrate`).",
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Stop at a line that cannot be translated, instead of copying it."),
]
Label = Annotated[
    str | None,
    typer.Option("--label", help="Label of the text, for a model with templates such as word_pair@label."),
]
JsonLines = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]

_ALWAYS = {"model", "label", "threads_"}
_WITH_FILES = {*_ALWAYS, "files", "output_dir", "review", "review_below"}
_WITH_EXPLAIN = {*_ALWAYS, "input", "explain", "glossary", "protect"}


def translate(
    context: typer.Context,
    model: Model,
    files: Files = None,
    input: Input = Path("/dev/stdin"),
    output: Output = None,
    output_dir: OutputDir = None,
    review: Review = False,
    review_below: ReviewBelow = None,
    kbest: KBestSize = 1,
    explain: Explain = False,
    mbr: Mbr = None,
    mbr_scale: MbrScale = None,
    mbr_size: MbrSize = None,
    confidence: Confident = False,
    glossary: GlossaryFile = None,
    protect: Protect = PROTECTED,
    label: Label = None,
    strict: Strict = False,
    json: JsonLines = False,
    threads_: Threads = 0,
) -> None:
    """Translate raw text with a trained model."""
    from demotic.decode import TranslationModel, translate_lines
    from demotic.decode.decoder import kbest_lists

    _check_combination(context)
    loaded = TranslationModel(model)
    if label:
        loaded = loaded.with_label(label)
    if files:
        from demotic.cli.translate_files import review_of, translate_files

        chosen = review_of(loaded, review, review_below)
        translate_files(loaded, files, output_dir, chosen, threads(threads_))
        return
    lines, read = tee(read_lines(input))
    constraints = starmap(constrainer(glossary, protect), enumerate(read, start=1))
    if explain:
        from demotic.cli.explain import explain_lines

        explain_lines(loaded, lines, constraints)
        return
    length, probability = kbest, None
    if confidence:
        from demotic.adapt.confidence import ConfidentModel
        from demotic.adapt.signals import LIST

        length, probability = max(kbest, LIST), ConfidentModel(loaded).probability
    make = kbest_lists(length) if confidence else choice_of(loaded, kbest, mbr, mbr_scale, mbr_size)
    translations = translate_lines(loaded, lines, make, threads(threads_), constraints)
    write_translations(translations, output, Printing(kbest, json, strict, probability))


def _check_combination(context: typer.Context) -> None:
    """Refuse options that would have no effect."""
    given = {name for name in context.params if _is_given(context, name)}
    if given - _WITH_FILES if "files" in given else given & (_WITH_FILES - _ALWAYS):
        raise typer.BadParameter(
            "files take --output-dir, --review and --review-below; text all other options"
        )
    if "explain" in given and given - _WITH_EXPLAIN:
        raise typer.BadParameter("--explain takes --input, --glossary, --protect, --label and --threads only")
    if "confidence" in given and context.params["mbr"] not in (None, "none"):
        raise typer.BadParameter("--confidence judges the best translation of the model, not that of --mbr")


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
