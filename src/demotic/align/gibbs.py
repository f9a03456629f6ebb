"""The aligner of Demotic itself: Bayesian models by Gibbs sampling (Östling and Tiedemann 2016), native."""

from __future__ import annotations

from demotic import _core
from demotic.align.options import AlignOptions
from demotic.align.pharaoh import format_links, format_probabilities
from demotic.base.files import Pathish, atomic_write, temporary_beside
from demotic.base.progress import Progress
from demotic.corpus.bitext import build_bitext


def align_corpus(
    source: Pathish,
    target: Pathish,
    out: Pathish,
    options: AlignOptions,
    seed: int,
    threads: int,
    model: Pathish | None = None,
    probabilities: Pathish | None = None,
) -> int:
    """Align two files as `align` does; returns the number of links.

    IBM 1 finds the links that are possible at all; then several independent chains per direction sample links with jumps and
    fertilities, and the posteriors of their second halves are averaged.
    """
    native = _core.AlignerOptions()
    native.samplers, native.iterations = options.samplers, options.iterations
    with temporary_beside(out) as temporary:
        text = build_bitext(source, target, None, temporary)
        with Progress("align", total=100, unit="%") as bar:
            percent = 0

            def on_sweep(done: int, steps: int) -> None:
                nonlocal percent
                bar.advance(100 * done // steps - percent)
                percent = 100 * done // steps

            links, scores, ends = _core.align_bitext(
                text, native, options.symmetrize, seed, threads, str(model or ""), on_sweep
            )
    bounds = list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))
    with atomic_write(out) as file:
        file.writelines(format_links(links[begin:end].tolist()) + "\n" for begin, end in bounds)
    if probabilities is not None:
        with atomic_write(probabilities) as file:
            file.writelines(format_probabilities(scores[begin:end].tolist()) + "\n" for begin, end in bounds)
    return len(links)
