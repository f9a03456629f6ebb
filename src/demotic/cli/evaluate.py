"""`demotic evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.errors import warn
from demotic.base.progress import Progress
from demotic.cli.common import Json, emit, table

if TYPE_CHECKING:
    from rich.table import Table

    from demotic.evaluate import LeakReport, TextKind

References = Annotated[
    list[Path], typer.Option("--ref", help="Reference translation; repeat for several references.")
]
METRIC_HELP = "Metric: bleu, bleu-tokens, chrf or ter; repeatable."
Tokenized = Annotated[
    bool, typer.Option("--tokenized", help="The files are tokenised, with spaces between words.")
]
Language = Annotated[
    str | None, typer.Option("--lang", help="Language of the text as an ISO 639-1 code.", show_default="en")
]
Model = Annotated[
    Path | None, typer.Option("--model", help="Model whose training corpus is searched for the test set.")
]
Source = Annotated[
    Path | None, typer.Option("--src", help="Source side of the test set, searched for as well with --model.")
]


def evaluate(
    hyp: Annotated[Path, typer.Option("--hyp", help="Translations, one per line.")],
    ref: References,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help=METRIC_HELP, show_default="all that apply")
    ] = None,
    tokenized: Tokenized = False,
    lang: Language = None,
    model: Model = None,
    src: Source = None,
    json: Json = False,
) -> None:
    """Score translations: BLEU, tokenised BLEU, chrF and TER, each with its signature."""
    from demotic.evaluate import corpus_metric, read_hypotheses, read_references
    from demotic.evaluate.corpus_metrics import default_metrics

    kind = text_kind(tokenized, lang, model)
    references = read_references(ref)
    hypotheses = read_hypotheses(hyp, references, ref[0])
    leaks = search_leaks(model, src, references, tokenized)
    names = metric or default_metrics(kind)
    scores = []
    with Progress("evaluate", total=len(names), unit="metrics") as bar:
        for name in names:
            scores.append(corpus_metric(name, references, kind).score(hypotheses))
            bar.advance()
    result: dict[str, Any] = {
        **{score.metric: score.score for score in scores},
        "signatures": {score.metric: score.signature for score in scores},
        "details": {score.metric: score.details for score in scores if score.details},
        "sentences": len(hypotheses),
        "references": len(references),
    }
    if leaks is not None:
        result["leaks"] = leaks.to_json()
    rows = [(score.metric, f"{score.score:.2f}", score.details) for score in scores]
    tables = [table(f"{len(hypotheses):,} sentences", ["metric", "score", ""], rows)]
    emit(result, tables + ([_leak_table(leaks)] if leaks else []), json)
    if not json:
        typer.echo("\n".join(f"{score.metric}: {score.signature}" for score in scores))
        typer.echo(leak_line(leaks))


def text_kind(tokenized: bool, language: str | None, model: Path | None) -> TextKind:
    """What kind of text is scored; a model knows its target language."""
    from demotic.corpus import Preprocessor
    from demotic.evaluate import TextKind

    if language is None and model is not None:
        language = Preprocessor.load(model).options.target_language
    return TextKind(language or "en", tokenized)


def search_leaks(
    model: Path | None, source: Path | None, references: list[list[str]], tokenized: bool
) -> LeakReport | None:
    """Search the training corpus for the test set, and warn of matches."""
    if model is None:
        if source is not None:
            raise typer.BadParameter("--src needs --model")
        return None
    from demotic.base.files import read_lines
    from demotic.corpus import Preprocessor
    from demotic.corpus.text import split_words
    from demotic.decode.model_folder import INDEX, ModelFolder
    from demotic.evaluate import leak_check
    from demotic.grammar import GrammarIndex

    folder = ModelFolder(model)
    prepare = Preprocessor.load(model)
    lines = None if source is None else list(read_lines(source))
    report = leak_check(
        folder.index if folder.is_complete else GrammarIndex(model / INDEX),
        None
        if lines is None
        else [split_words(line) if tokenized else prepare.words(line, "source") for line in lines],
        [
            [split_words(line) if tokenized else prepare.words(line, "target") for line in reference]
            for reference in references
        ],
        mono=folder.mono,
    )
    for text in report.warnings():
        warn(text)
    return report


def leak_line(leaks: LeakReport | None) -> str:
    """The line below the scores."""
    if leaks is None:
        return "leak check: not done; give --model and --src to search the training corpus for the test set"
    return leaks.summary()


def _leak_table(leaks: LeakReport) -> Table:
    rows: list[tuple[object, ...]] = []
    for side in leaks.sides:
        rows.append(
            (f"{side.side} sentences in the training corpus", f"{len(side.whole):,} of {side.sentences:,}")
        )
        rows.append(
            (f"{side.side} words in the longest match, mean share", f"{100 * side.matched_words:.1f}%")
        )
        rows += [
            (f"  line {match.line}: {match.text}", f"{match.length} of {match.words} words")
            for match in side.longest
        ]
    if leaks.monolingual is not None:
        count = f"{len(leaks.monolingual.whole):,} of {leaks.monolingual.sentences:,}"
        rows.append(("references in the monolingual text", count))
    return table("Test set in the training corpus", ["", ""], rows)
