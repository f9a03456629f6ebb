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
    """The language models of a decoder.

    Attributes:
        words: the model of words, whose feature the dense set names.
        further: those with features of their own.
        whole: the model of all text, where `words` has not seen a part of it. Words of translation rules that it knows do not count as
            unknown (`LanguageModel_OOV`), as in new text, for which all rules are from text that the model knows. MERT on
            a dev set can tell the weights of `LanguageModel_OOV` and `PassThrough` apart by their sum only, so the first may be a
            reward; a decoder that finds rules with unknown words would then collect them.
    """

    words: LanguageModel
    further: tuple[FurtherModel, ...] = ()
    whole: LanguageModel | None = None

    def retrained(self, folder: Path, fold: int | None = None) -> LanguageModels:
        """The same models trained on a part of the text, over the same classes.

        Args:
            folder: has `lm.bin` and, for each further model, a file of its name.
            fold: the models of a fold: `lm.0.bin` and so on.
        """
        end = ".bin" if fold is None else f".{fold}.bin"
        further = (
            replace(each, lm=LanguageModel.load(folder / f"{each.name}{end}")) for each in self.further
        )
        return LanguageModels(LanguageModel.load(folder / f"lm{end}"), tuple(further), self.words)

    def features(self) -> list[str]:
        """Names of the features of further models."""
        return [model.feature for model in self.further]
