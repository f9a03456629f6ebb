"""Options and names of language models over word classes."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.base.checks import between
from demotic.corpus.word_classes import checked_sizes
from demotic.lm.estimate import LmOptions

_FEATURE = "ClassLanguageModel_{}"


@dataclass(frozen=True)
class ClassLmOptions:
    """Language models over word classes."""

    classes: tuple[int, ...] = ()  # numbers of classes, such as 200: a model and a feature for each
    order: int = 5  # length of the longest n-grams of classes
    prune: tuple[int, ...] = ()  # as of language models of words

    def __post_init__(self) -> None:
        """Check the ranges."""
        object.__setattr__(self, "classes", checked_sizes(self.classes))
        between(1, 255, order=self.order)

    def of_model(self) -> LmOptions:
        """The options of each model."""
        return LmOptions(order=self.order, prune=self.prune)


def class_feature(size: int) -> str:
    """Name of the feature of the model over so many classes."""
    return _FEATURE.format(size)


def class_lm(size: int | str) -> str:
    """Name of the file of the model over so many classes, without the ending."""
    return f"lm.class{size}"
