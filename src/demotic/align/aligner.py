"""Word alignment of two tokenised files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from demotic.align.directions import Direction, Positions, check_installed
from demotic.align.gibbs import align_corpus
from demotic.align.options import AlignOptions
from demotic.align.pharaoh import format_links
from demotic.align.symmetrize import symmetrizer
from demotic.align.workers import align_directions
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, make_folder
from demotic.base.progress import Progress
from demotic.corpus.readers import read_parallel
from demotic.corpus.text import split_words


def align(
    source: Pathish,
    target: Pathish,
    out: Pathish,
    options: AlignOptions,
    seed: int = 1,
    workers: int = 2,
    *,
    model: Pathish | None = None,
    probabilities: Pathish | None = None,
) -> int:
    """Align line-aligned, tokenised text; write one line of links (`0-0 1-2`) a pair; return the number of links.

    Args:
        source: tokenised text, no empty lines.
        target: as many lines.
        out: the alignment file, in Pharaoh format.
        options: model and heuristic.
        seed: the same options and seed give the same bytes, whatever the workers.
        workers: threads; models of sil-thot use two at most, one per direction.
        model: where to save what `gibbs` has learnt, for new pairs.
        probabilities: file for the posterior probabilities of the links, in their order; of `gibbs` only.
    """
    make_folder(Path(out).parent)
    if options.model == "gibbs":
        return align_corpus(source, target, out, options, seed, workers, model, probabilities)
    if model is not None or probabilities is not None:
        raise DemoticError(
            f"the aligner {options.model} neither saves a model nor gives probabilities", hint="use `gibbs`"
        )
    check_installed(options.model)
    return _align_by_thot(source, target, out, options, seed, workers)


def _align_by_thot(
    source: Pathish, target: Pathish, out: Pathish, options: AlignOptions, seed: int, workers: int
) -> int:
    lengths = _lengths(source, target)
    forward = Direction(str(source), str(target), options.model, seed)
    backward = Direction(str(target), str(source), options.model, seed)
    direct, inverse = align_directions([forward, backward], workers)
    combine = symmetrizer(options.symmetrize)
    total = 0
    with Progress("align: symmetrise", total=len(lengths), unit="pairs") as bar, atomic_write(out) as file:
        sentences = zip(
            _split(direct, [t for _, t in lengths]), _split(inverse, [s for s, _ in lengths]), strict=True
        )
        for number, (by_target, by_source) in enumerate(sentences, start=1):
            links = combine(by_target, by_source)
            total += len(links)
            file.write(format_links(links) + "\n")
            if number % 1000 == 0:
                bar.advance(1000)
    return total


def _lengths(source: Pathish, target: Pathish) -> list[tuple[int, int]]:
    """Words of each pair. Reads all of the text first, so that bad input is found before anything is computed."""
    pairs = read_parallel(source, target, tokenized=True, empty=False)
    lengths = [(len(split_words(pair.source)), len(split_words(pair.target))) for pair in pairs]
    if not lengths:
        raise DemoticError("the file is empty", source)
    return lengths


def _split(positions: Positions, lengths: list[int]) -> Iterator[list[int]]:
    begin = 0
    for length in lengths:
        yield positions[begin : begin + length].tolist()
        begin += length
