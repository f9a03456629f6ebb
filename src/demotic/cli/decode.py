"""`demotic decode`: tokenised text with rules from files or an index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.base.files import read_lines
from demotic.base.progress import Progress
from demotic.cli.common import Threads, threads

if TYPE_CHECKING:
    from demotic.decode import Decoder, KBest
    from demotic.grammar import Grammar


def decode(
    input: Annotated[
        Path, typer.Option("--input", help="Tokenised lines, or <seg grammar=... id=...> lines.")
    ],
    lm: Annotated[Path, typer.Option("--lm", help="Language model: binary or ARPA.")],
    weights: Annotated[Path, typer.Option("--weights", help="`name value` a line.")],
    grammar: Annotated[
        Path | None, typer.Option("--grammar", help="Rules for all sentences, in cdec's format.")
    ] = None,
    index: Annotated[Path | None, typer.Option("--index", help="Index to extract rules from.")] = None,
    features: Annotated[
        str, typer.Option("--features", help="Sparse templates, separated by commas: id,ngram,shape.")
    ] = "",
    kbest: Annotated[
        int, typer.Option("--kbest", min=0, help="Print so many hypotheses with features and scores.")
    ] = 0,
    unique: Annotated[bool, typer.Option("--unique", help="Only different strings.")] = False,
    pop_limit: Annotated[
        int, typer.Option("--pop-limit", min=0, help="Cube pruning; 0: exhaustive search.")
    ] = 200,
    max_span: Annotated[
        int, typer.Option("--max-span", min=1, help="Longest span of a translation rule.")
    ] = 15,
    threads_: Threads = 0,
) -> None:
    """Decode tokenised text; prints `id ||| words ||| Name=value ... ||| score` with --kbest, else the words."""
    from demotic.decode import DecodeOptions, Decoder
    from demotic.features import TemplateSet, Weights
    from demotic.grammar import GrammarIndex
    from demotic.lm import LanguageModel

    templates = TemplateSet(features.split(",")) if features else None
    rules = GrammarIndex(index) if index else None
    decoder = Decoder(
        LanguageModel.load(lm), Weights.load(weights), rules, templates, DecodeOptions(pop_limit, max_span)
    )
    numbers: list[int] = []
    with Progress("decode", unit="sentences") as bar:
        for found in _decode(
            decoder, input, grammar, index, max(kbest, 1), unique, threads(threads_), numbers
        ):
            number = numbers.pop(0)
            for i in range(len(found)):
                words = " ".join(found.sentence(i))
                typer.echo(
                    f"{number} ||| {words} ||| {_features(decoder, found, i)} ||| {found.scores[i]:.6g}"
                    if kbest
                    else words
                )
            bar.advance()


def _decode(
    decoder: Decoder,
    input: Path,
    grammar: Path | None,
    index: Path | None,
    k: int,
    unique: bool,
    workers: int,
    numbers: list[int],
) -> Iterator[KBest]:
    from demotic.grammar import read_grammar, read_segments

    first = next(iter(read_lines(input)), "")
    if first.lstrip().startswith("<seg"):
        if grammar or index:
            raise DemoticError(
                "the lines name their own grammars", input, 1, "leave out --grammar and --index"
            )

        def sentences() -> Iterator[tuple[str, Grammar]]:
            for segment in read_segments(input):
                numbers.append(segment.id)
                yield segment.sentence, read_grammar(segment.grammar)

        return decoder.kbest_with_grammars(sentences(), k, unique=unique, threads=workers)
    if (grammar is None) == (index is None):
        raise typer.BadParameter("give --grammar or --index (or lines with <seg grammar=...>)")

    def lines() -> Iterator[str]:
        for number, line in enumerate(read_lines(input)):
            numbers.append(number)
            yield line

    if index:
        return decoder.kbest(lines(), k, unique=unique, threads=workers)
    shared = read_grammar(grammar) if grammar else None
    assert shared is not None
    return decoder.kbest_with_grammars(
        ((line, shared) for line in lines()), k, unique=unique, threads=workers
    )


def _features(decoder: Decoder, found: KBest, i: int) -> str:
    ids, values = found.row(i)
    index = decoder.weights.index
    return " ".join(
        f"{index.name(id_)}={value:.6g}" for id_, value in zip(ids.tolist(), values.tolist(), strict=True)
    )
