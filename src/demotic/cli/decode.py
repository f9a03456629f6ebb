"""`demotic decode`: tokenised text with rules from files or an index."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.errors import DemoticError, warn
from demotic.base.files import read_lines
from demotic.base.progress import Progress
from demotic.cli.common import Threads, threads

if TYPE_CHECKING:
    from demotic.decode import Decoder
    from demotic.grammar import Grammar, GrammarIndex


Features = Annotated[
    str,
    typer.Option("--features", help="Sparse feature templates, separated by commas, e.g. id,ngram,shape."),
]
KBestSize = Annotated[
    int,
    typer.Option(
        "--kbest",
        min=0,
        help="Print the N best hypotheses per sentence as `id ||| words ||| Name=value ... ||| score`.",
    ),
]


def decode(
    input: Annotated[
        Path,
        typer.Option("--input", help="Tokenised sentences, or <seg grammar=... id=...> lines, one per line."),
    ],
    lm: Annotated[Path, typer.Option("--lm", help="Language model: binary or ARPA.")],
    weights: Annotated[Path, typer.Option("--weights", help="Weights file with one `name value` per line.")],
    grammar: Annotated[
        Path | None, typer.Option("--grammar", help="Grammar for all sentences, in cdec's format.")
    ] = None,
    index: Annotated[
        Path | None, typer.Option("--index", help="Index to extract the rules of each sentence from.")
    ] = None,
    features: Features = "",
    kbest: KBestSize = 0,
    unique: Annotated[
        bool, typer.Option("--unique", help="Keep only distinct strings in k-best lists.")
    ] = False,
    pop_limit: Annotated[
        int, typer.Option("--pop-limit", min=0, help="Pop limit of cube pruning; 0 searches exhaustively.")
    ] = 200,
    max_span: Annotated[
        int, typer.Option("--max-span", min=1, help="Longest source span that a rule may cover.")
    ] = 15,
    threads_: Threads = 0,
) -> None:
    """Decode tokenised text with rules from files or an index."""
    from demotic.decode import DecodeOptions, Decoder, warn_of_unknown_weights
    from demotic.features import TemplateSet, Weights
    from demotic.lm import LanguageModel

    templates = TemplateSet(features.split(",")) if features else None
    rules = _rules(input, grammar, index)
    options = DecodeOptions(pop_limit, max_span)
    # With --kbest features come in the order in which the text first had them, so they are numbered once for all lines.
    decoder = Decoder(
        LanguageModel.load(lm), Weights.load(weights), rules, templates, options, frozen=not kbest
    )
    if rules is not None:
        warn_of_unknown_weights(decoder, weights)
    numbers: deque[int] = deque()
    with Progress("decode", unit="sentences") as bar:
        jobs = _jobs(decoder, input, weights, numbers)
        for found in decoder.kbest_with_grammars(
            jobs, max(kbest, 1), unique=unique, threads=threads(threads_)
        ):
            number = numbers.popleft()
            if kbest:
                typer.echo(found.to_text(number), nl=False)
            else:
                typer.echo(" ".join(found.sentence(0)))
            bar.advance()


def _rules(input: Path, grammar: Path | None, index: Path | None) -> GrammarIndex | Grammar | None:
    """Rules for all sentences, or None if each line names its own."""
    from demotic.grammar import GrammarIndex, read_grammar

    first = next(iter(read_lines(input)), "")
    if first.lstrip().startswith("<seg"):
        if grammar or index:
            raise DemoticError(
                "each <seg> line names its own grammar", input, 1, "remove --grammar and --index"
            )
        return None
    if index and not grammar:
        return GrammarIndex(index)
    if grammar and not index:
        rules = read_grammar(grammar)
        if missing := rules.native.labels_without_rules:
            warn(f"{grammar}: no rule rewrites [{'], ['.join(missing)}], so rules that use it never apply")
        return rules
    raise typer.BadParameter("give either --grammar or --index, or <seg grammar=...> lines as input")


def _jobs(
    decoder: Decoder, input: Path, weights: Path, numbers: deque[int]
) -> Iterator[tuple[str, Grammar | None]]:
    """Sentences with their rules, if they bring any; the number of each goes to `numbers`."""
    from demotic.decode import warn_of_unknown_weights
    from demotic.grammar import read_grammar, read_segments

    if decoder.rules is not None:
        for number, line in enumerate(read_lines(input)):
            numbers.append(number)
            yield line, None
        return
    for number, segment in enumerate(read_segments(input)):
        grammar = read_grammar(segment.grammar)
        if number == 0:
            warn_of_unknown_weights(decoder, weights, grammar)
        numbers.append(segment.id)
        yield segment.sentence, grammar
