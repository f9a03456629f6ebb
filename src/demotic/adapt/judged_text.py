"""Raw text with its references, as words: what a model in use is judged by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from demotic.base.parallel import default_threads, threaded_map
from demotic.base.progress import track
from demotic.decode import TranslationModel

JudgedSentence = tuple[list[str], list[list[str]]]
"""Words of a sentence, and of its references."""

Verdict = TypeVar("Verdict")


def judged_sentences(
    model: TranslationModel, source: Sequence[str], references: Sequence[Sequence[str]]
) -> list[JudgedSentence]:
    """Raw lines and their raw references, prepared as the text that the model was trained on.

    Args:
        model: a trained model.
        source: raw lines.
        references: one or more sets of as many raw translations.
    """
    prepare = model.preprocessor.words
    return [
        (prepare(line, "source"), [prepare(text, "target") for text in texts])
        for line, *texts in zip(source, *references, strict=True)
    ]


def judge_all(
    judge: Callable[[JudgedSentence], Verdict], sentences: Sequence[JudgedSentence], what: str, threads: int
) -> list[Verdict]:
    """What is found of each sentence, in their order, with progress.

    Args:
        judge: safe in several threads.
        sentences: to be judged.
        what: name of the work.
        threads: 0: all cores.
    """
    found = threaded_map(judge, sentences, threads or default_threads())
    return list(track(found, what, len(sentences), "sentences"))
