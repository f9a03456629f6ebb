"""The language models that score the translations of a decoder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from demotic.corpus import WordClasses
from demotic.lm import LanguageModel


@dataclass(frozen=True)
class FurtherModel:
    """A language model with a dense feature of its own.

    Attributes:
        feature: its name; the value is the log10 probability of the translation.
        name: of its file, without the ending.
        lm: the model.
        classes: it reads these in the place of words; None: it reads words.
    """

    feature: str
    name: str
    lm: LanguageModel
    classes: WordClasses | None = None

    def score(self, words: list[str]) -> float:
        """Log10 probability of a whole sentence."""
        return self.lm.score(words if self.classes is None else [self.classes.of(word) for word in words])


@dataclass(frozen=True)
class LanguageModels:
    """The model of words, whose feature the dense set names, and further ones."""

    words: LanguageModel
    further: tuple[FurtherModel, ...] = ()

    def retrained(self, folder: Path, fold: int | None = None) -> LanguageModels:
        """The same models trained on other text, over the same classes.

        Args:
            folder: has `lm.bin` and, for each further model, a file of its name.
            fold: the models of a fold: `lm.0.bin` and so on.
        """
        end = ".bin" if fold is None else f".{fold}.bin"
        further = (
            replace(each, lm=LanguageModel.load(folder / f"{each.name}{end}")) for each in self.further
        )
        return LanguageModels(LanguageModel.load(folder / f"lm{end}"), tuple(further))

    def features(self) -> list[str]:
        """Names of the features of further models."""
        return [model.feature for model in self.further]
