"""One directional alignment model: sil-thot's aligners behind one function. They are an extra."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from demotic.align.options import ModelName
from demotic.base.errors import DemoticError
from demotic.corpus.readers import read_parallel
from demotic.corpus.text import split_words

if TYPE_CHECKING:
    from thot.alignment import AlignmentModel

# Iterations: GIZA++'s customary schedule for Brown et al. (1993) and Vogel et al. (1996), fast_align's own default.
_EM_SCHEDULE = {"ibm1": 5, "hmm": 5, "ibm3": 3, "ibm4": 3}
_FAST_ALIGN_ITERATIONS = 5

Positions = npt.NDArray[np.uint16]
Report = Callable[[int, int], None]  # (finished steps, all steps)


@dataclass(frozen=True)
class Direction:
    """One direction: every word of `target` gets at most one word of `source`."""

    source: str  # tokenised files
    target: str
    model: ModelName
    seed: int


def check_installed(model: ModelName) -> None:
    """Refuse a model of sil-thot where it is not installed."""
    if importlib.util.find_spec("thot") is None:
        raise DemoticError(
            f"the aligner {model} needs sil-thot, which is not installed",
            hint="pip install 'demotic[aligners]', or use the aligner `gibbs`",
        )


def align_direction(job: Direction, report: Report) -> Positions:
    """Train a model and return, for all target words in order, the 1-based source position, or 0 for none.

    Call it in a process of its own: it limits OpenMP to one thread before sil-thot is loaded, because sums of floats in
    parallel are not reproducible.
    """
    os.environ["OMP_NUM_THREADS"] = "1"
    if job.model == "eflomal":
        model = _train_eflomal(job, report)
    elif job.model == "fast_align":
        model = _train_fast_align(job, report)
    else:
        model = _train_chain(
            ["ibm1", "hmm"] if job.model == "hmm" else ["ibm1", "hmm", "ibm3", "ibm4"], job, report
        )
    return _training_alignment(model)


def _train_eflomal(job: Direction, report: Report) -> AlignmentModel:
    """Gibbs sampling with fertilities (Östling and Tiedemann 2016); sil-thot chooses the iterations by corpus size."""
    from thot.alignment import EflomalAlignmentModel

    model = EflomalAlignmentModel()
    model.seed = job.seed
    model.deterministic = True
    _add_sentences(model, job)
    model.emit_training_alignments = True
    model.start_training()
    steps = model.scheduled_iterations
    for i in range(steps):
        model.train()
        report(i + 1, steps)
    model.end_training()
    return model


def _train_fast_align(job: Direction, report: Report) -> AlignmentModel:
    """IBM 2 with a log-linear diagonal prior (Dyer, Chahuneau and Smith 2013), with variational Bayes as by its -v."""
    from thot.alignment import FastAlignModel

    model = FastAlignModel()
    model.variational_bayes = True
    _add_sentences(model, job)
    model.emit_training_alignments = True
    model.start_training()
    for i in range(_FAST_ALIGN_ITERATIONS):
        model.train()
        report(i + 1, _FAST_ALIGN_ITERATIONS)
    model.end_training()
    return model


def _train_chain(chain: list[str], job: Direction, report: Report) -> AlignmentModel:
    """Expectation maximisation; each model of the chain starts from the one before it."""
    from thot.alignment import HmmAlignmentModel, Ibm1AlignmentModel, Ibm3AlignmentModel, Ibm4AlignmentModel

    later: dict[str, Callable[..., AlignmentModel]]
    later = {"hmm": HmmAlignmentModel, "ibm3": Ibm3AlignmentModel, "ibm4": Ibm4AlignmentModel}
    steps, done = sum(_EM_SCHEDULE[name] for name in chain), 0
    model: AlignmentModel = Ibm1AlignmentModel()
    _add_sentences(model, job)
    for name in chain:
        if name in later:
            model = later[name](model)
        model.emit_training_alignments = name == chain[-1]
        model.start_training()
        for _ in range(_EM_SCHEDULE[name]):
            model.train()
            done += 1
            report(done, steps)
        model.end_training()
    return model


def _add_sentences(model: AlignmentModel, job: Direction) -> None:
    limit = model.max_sentence_length
    for pair in read_parallel(job.source, job.target, tokenized=True, empty=False):
        source, target = split_words(pair.source), split_words(pair.target)
        longer, file = max((len(source), job.source), (len(target), job.target))
        if longer > limit:
            raise DemoticError(
                f"a sentence may have at most {limit} words (got {longer})",
                file,
                pair.line,
                "`demotic prepare` removes over-long pairs",
            )
        model.add_sentence_pair(source, target)
    if model.num_sentence_pairs == 0:
        raise DemoticError("the file is empty", job.source)


def _training_alignment(model: AlignmentModel) -> Positions:
    def positions() -> Iterator[int]:
        for n in range(model.num_sentence_pairs):
            yield from model.get_training_alignment(n)[1].to_list()

    return np.fromiter(positions(), dtype=np.uint16)
