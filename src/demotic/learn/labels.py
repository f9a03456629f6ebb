"""Files of labels: one a line, for each sentence or for each pair of the model's index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.learn.task import Example


def read_labels(file: Pathish, examples: Sequence[Example], corpus_size: int) -> list[str]:
    """The label of each example.

    Args:
        file: one label a line; for examples of the training data a line for every pair of the index.
        examples: at least one.
        corpus_size: sentence pairs in the index.

    Raises:
        DemoticError: if the file has another number of lines.
    """
    labels = [line.strip() for line in read_lines(file)]
    on_train = examples[0].number is not None
    wanted = corpus_size if on_train else len(examples)
    if len(labels) != wanted:
        of_what = "pair of the model's index" if on_train else "sentence"
        raise DemoticError(
            f"expected {wanted:,} labels (got {len(labels):,})",
            file,
            hint=f"give one label per line: for each {of_what}",
        )
    return [labels[i if example.number is None else example.number] for i, example in enumerate(examples)]


def labelled(examples: Sequence[Example], file: Pathish | None, corpus_size: int) -> list[Example]:
    """Examples with the labels of a file; without a file they have none."""
    if file is None or not examples:
        return list(examples)
    labels = read_labels(file, examples, corpus_size)
    return [replace(example, label=label) for example, label in zip(examples, labels, strict=True)]
