"""Word classes of a model: made from the training text in its index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from demotic.base.errors import warn
from demotic.base.progress import Progress
from demotic.base.run import Run
from demotic.corpus.word_classes import ITERATIONS, WordClasses, cluster
from demotic.decode.model_folder import BINS, INDEX, MODEL_TOML, SIDES, WEIGHTS, ModelFolder
from demotic.features import class_sizes
from demotic.grammar import GrammarIndex
from demotic.learn import TuningTask

STAGE = "classes"
_SIDE_NAMES = {"src": "source", "tgt": "target"}


def make_classes(
    index: GrammarIndex, sizes: Sequence[int], out: ModelFolder, threads: int = 0
) -> Mapping[tuple[str, int], tuple[WordClasses, float]]:
    """Cluster the words of both sides of an index, and save the classes.

    Where there are fewer words than classes, each word is a class of its own: the sizes that templates and learners want by default must
    not keep small corpora from being learnt on.

    Args:
        index: the text.
        sizes: how many classes, once or several times.
        out: the folder; what it has already is made anew.
        threads: 0: all cores; the result does not depend on it.

    Returns:
        For each side (`src`, `tgt`) and size the classes and the perplexity of the text under their bigram model.
    """
    found: dict[tuple[str, int], tuple[WordClasses, float]] = {}
    wanted = [(side, size) for size in sizes for side in SIDES]
    vocabs = {"src": index.native.source_vocab, "tgt": index.native.target_vocab}
    with Progress("word classes", total=len(wanted), unit="sets") as bar:
        for side, size in wanted:
            tokens = index.native.tokens(side == "tgt")
            classes, perplexities = cluster(
                tokens, vocabs[side], min(size, len(vocabs[side])), threads=threads
            )
            found[side, size] = classes, perplexities[-1]
            bar.advance(1)
    for side, vocab in vocabs.items():
        if too_many := [str(size) for size in sizes if size > len(vocab)]:
            warn(
                f"the {_SIDE_NAMES[side]} side has {len(vocab):,} different words, so each is a class of its own instead of "
                f"{' and '.join(too_many)} classes"
            )
    for (side, size), (classes, _) in found.items():
        classes.save(out.class_files(size)[SIDES.index(side)])
    return found


def with_classes(task: TuningTask, run: Run) -> TuningTask:
    """The task with the word classes in its model that its templates need; those that it lacks are made in a stage of a run."""
    model = ModelFolder(task.model)
    missing = [size for size in class_sizes(task.templates) if not model.has_classes(size)]
    if not missing:
        return task

    def work(folder: Path) -> None:
        copy = ModelFolder(folder)
        copy.copy_of(model)
        make_classes(model.index, missing, copy)

    inputs = {name: task.model / name for name in (*model.lm_files(), INDEX, WEIGHTS, MODEL_TOML)}
    inputs |= {BINS: task.model / BINS} if model.part(BINS) else {}
    options = {"sizes": missing, "iterations": ITERATIONS}
    return replace(task, model=run.stage(STAGE, work, options=options, inputs=inputs))
