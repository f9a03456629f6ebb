"""What a learner learns from: sentences with references, and how to decode them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, read_lines
from demotic.corpus import Preprocessor
from demotic.corpus.preprocess import Side
from demotic.corpus.splits import sample
from demotic.corpus.text import split_words
from demotic.decode import TranslationModel
from demotic.features import FeatureGroups, PackedWeights, Weights


@dataclass(frozen=True)
class Example:
    """A sentence to learn from: tokenised text."""

    source: str
    references: tuple[str, ...]
    number: int | None = None  # of the pair in the index, if it comes from there
    label: str = field(
        default="", repr=False
    )  # of its document or domain, for features in conjunction with it

    def reference_words(self) -> list[list[str]]:
        """The references as words."""
        return [split_words(reference) for reference in self.references]


@dataclass(frozen=True)
class TuningTask:
    """Examples and the model that decodes them.

    Attributes:
        model: folder of the model that decodes.
        templates: sparse features; they take the place of the model's own.
        examples: what is learnt from.
        held_out: other examples, to choose the best epoch on; may be empty.
        watched: sets of examples by name, whose BLEU is reported with every epoch and has no influence.
        dev: for learners that take both (`Learner.uses_dev`): a small set beside the large `examples`.
        groups: a `groups.txt`: features stand for their groups, and learners find weights of groups.
        initial_weights: packed weights where `start = "model"` begins; None: those of the model.
    """

    model: Path
    templates: tuple[str, ...]
    examples: Sequence[Example]
    held_out: Sequence[Example] = field(default=())
    watched: Mapping[str, Sequence[Example]] = field(default_factory=dict)
    dev: Sequence[Example] = ()
    groups: Path | None = None
    initial_weights: PackedWeights | None = None

    @property
    def on_train(self) -> bool:
        """Whether the examples are sentence pairs of the index."""
        return bool(self.examples) and self.examples[0].number is not None

    def model_weights(self) -> Weights:
        """Where `start = "model"` begins."""
        return (
            TranslationModel(self.model).weights
            if self.initial_weights is None
            else Weights.unpack(self.initial_weights)
        )

    def tied(self, weights: Weights) -> PackedWeights:
        """Packed weights as the learners of this task see them: of groups, if it has any."""
        packed = weights.pack()
        return packed if self.groups is None else FeatureGroups.load(self.groups).tie(packed)


def read_examples(
    source: Pathish, references: Sequence[Pathish], preprocessor: Preprocessor | None
) -> list[Example]:
    """Examples from files.

    Args:
        source: one sentence a line.
        references: one or more files with as many lines.
        preprocessor: prepares the text as the model's training text was; None: it is tokenised already.
    """
    if not references:
        raise DemoticError("no reference given", source, hint="give at least one file with --ref")
    columns = [_words(read_lines(source), preprocessor, "source")]
    columns += [_words(read_lines(file), preprocessor, "target") for file in references]
    lines = [list(column) for column in columns]
    for file, column in zip(references, lines[1:], strict=True):
        if len(column) != len(lines[0]):
            raise DemoticError(
                f"{len(column):,} lines, but {source} has {len(lines[0]):,}",
                file,
                hint="line N of each reference must translate line N of the source",
            )
    if not lines[0]:
        raise DemoticError("the file is empty", source)
    return [Example(row[0], tuple(row[1:])) for row in zip(*lines, strict=True)]


def training_examples(model: TranslationModel, count: int = 0, seed: int = 1) -> list[Example]:
    """Sentence pairs of the model's own index: all, or `count` of them drawn at random; too long pairs are skipped."""
    index = model.index
    if count > len(index):
        raise DemoticError(
            f"cannot draw {count:,} sentences: the index has {len(index):,}",
            model.folder,
            hint="lower --sentences, or omit it to use all",
        )
    numbers = np.arange(len(index)) if count == 0 else sample(len(index), count, seed)
    pairs = ((int(i), index.source(int(i)), index.target(int(i))) for i in numbers)
    return [
        Example(" ".join(source), (" ".join(target),), i) for i, source, target in pairs if source and target
    ]


def _words(lines: Iterable[str], preprocessor: Preprocessor | None, side: Side) -> Iterator[str]:
    return (" ".join(preprocessor.words(line, side)) for line in lines) if preprocessor else iter(lines)
