"""From raw text to the words that models see, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import tomli_w

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write
from demotic.base.options import load_toml, options_from, options_to_dict
from demotic.corpus.casing import CasingModel, capitalize_sentence
from demotic.corpus.clean import CleanOptions
from demotic.corpus.compounds import CompoundOptions, CompoundSplitter
from demotic.corpus.text import split_words
from demotic.corpus.tokenize import LATEST, Tokenizer, TokenizerVersion, tokenizer_for
from demotic.corpus.verbatim import Verbatim, fill_in, in_nesting_order, stand_in

Side = Literal["source", "target"]

_CASING, _COMPOUNDS = "casing.{side}.txt", "compounds.source.txt"
TABLES = (*(_CASING.format(side=side) for side in ("source", "target")), _COMPOUNDS)
"""Names of the files that `Preprocessor.save_tables` may write."""
_OPTIONS = "prepare.toml"
_OPTION_FILES = ("model.toml", _OPTIONS)  # either has the table [prepare]


@dataclass(frozen=True)
class PrepareOptions:
    """How raw text becomes words. Simianer et al. (2012), section 5.1: tokenised, lower-cased, compounds split."""

    source_language: str = "de"  # ISO 639-1
    target_language: str = "en"
    tokenized: bool = False  # the text is tokenised already: split at spaces, no case or compound step
    case: Literal["lower", "true", "keep"] = "lower"
    tokenizer_version: TokenizerVersion = LATEST  # 1: sacremoses; 2: marks, emoji and URLs stay whole
    compounds: bool = False  # split compounds on the source side
    compound: CompoundOptions = field(default_factory=CompoundOptions)
    clean: CleanOptions = field(default_factory=CleanOptions)

    def tokenizer(self, side: Side) -> Tokenizer:
        """What cuts the text of one side into words."""
        language = self.source_language if side == "source" else self.target_language
        return tokenizer_for(language, self.tokenizer_version)


def stored_options(file: Pathish, table: Any) -> PrepareOptions:
    """Options from the table [prepare] of a file: text is prepared as it was when the file was written.

    Args:
        file: for errors.
        table: where it says nothing about the tokeniser, there was only the first version.
    """
    if not isinstance(table, Mapping):
        raise DemoticError(
            f"'prepare' must be a table (got {table!r})", file, hint="write [prepare] above its options"
        )
    return options_from(PrepareOptions, {"tokenizer_version": 1, **table}, file=file, prefix="prepare.")


class Preprocessor:
    """The steps of one corpus, with the tables learnt from it.

    Args:
        options: which steps.
        casing: usual word forms per side, where learnt.
        splitter: for source compounds, if they are split.
    """

    def __init__(
        self,
        options: PrepareOptions,
        casing: dict[Side, CasingModel] | None = None,
        splitter: CompoundSplitter | None = None,
    ) -> None:
        self.options = options
        self._casing = casing or {}
        self._splitter = splitter

    def words(self, text: str, side: Side) -> list[str]:
        """Raw text to words, as in training."""
        if self.options.tokenized:
            return split_words(text)
        return self.finish(self.options.tokenizer(side).tokenize(text), side)

    def finish(self, words: list[str], side: Side) -> list[str]:
        """The steps behind tokenising: case, then compounds."""
        if self.options.tokenized:
            return words
        if self.options.case == "lower":
            words = [word.lower() for word in words]
        elif self.options.case == "true" and side in self._casing:
            words = self._casing[side].truecase(words)
        if side == "source" and self._splitter is not None:
            words = [part for word in words for part in self._splitter.split(word)]
        return words

    def restore(self, words: list[str], capital: bool = True, source: str = "") -> str:
        """Words of a translation to text as a person writes it: recase, detokenise. Verbatim words become their text.

        Args:
            words: of the translation.
            capital: the first word begins a sentence; otherwise it has its usual form.
            source: raw text that was translated. A word that was copied from it, and that the target side of the training text does not
                have, is written as it is there.
        """
        capital = capital and not self.options.tokenized and self.options.case != "keep"
        verbatim = [Verbatim.read(word) for word in words]
        if not any(verbatim):
            return self._restore(words, 0, capital, source)
        stretches = in_nesting_order([stretch for stretch in verbatim if stretch])
        numbers = iter(range(len(stretches)))
        stood_for = [
            stand_in(next(numbers)) if found else word for word, found in zip(words, verbatim, strict=True)
        ]
        tags = next((i for i, found in enumerate(verbatim) if not (found and found.is_tag)), len(words))
        if capital and tags < len(words) and verbatim[tags]:
            stretches[tags] = stretches[tags].capitalized()
        return fill_in(self._restore(stood_for, tags, capital, source), stretches)

    def _restore(self, words: list[str], begin: int, capital: bool, source: str) -> str:
        """`begin`: the word that begins the sentence."""
        if self.options.tokenized:
            return " ".join(words)
        if self.options.case == "lower" and "target" in self._casing:
            words = self._recase(words, self._casing["target"], source)
        if capital:
            words = [*words[:begin], *capitalize_sentence(words[begin:])]
        return self.options.tokenizer("target").detokenize(words)

    def _recase(self, words: list[str], casing: CasingModel, source: str) -> list[str]:
        words = casing.recase(words)
        if not source or all(map(casing.knows, words)):
            return words
        forms = {form.lower(): form for form in self.options.tokenizer("source").tokenize(source)}
        return [word if casing.knows(word) else forms.get(word, word) for word in words]

    def save(self, folder: Pathish) -> None:
        """Write `prepare.toml` and the tables into a folder."""
        self.save_tables(folder)
        with atomic_write(Path(folder) / _OPTIONS) as file:
            file.write(tomli_w.dumps({"prepare": options_to_dict(self.options)}))

    def save_tables(self, folder: Pathish) -> None:
        """Write the tables alone: for a folder whose `model.toml` has the options."""
        place = Path(folder)
        for side, model in self._casing.items():
            model.save(place / _CASING.format(side=side))
        if self._splitter is not None:
            self._splitter.save(place / _COMPOUNDS)

    @classmethod
    def load(cls, folder: Pathish) -> Preprocessor:
        """Read what `save` wrote."""
        place = Path(folder)
        file = next((place / name for name in _OPTION_FILES if (place / name).exists()), None)
        if file is None:
            names = " or ".join(_OPTION_FILES)
            raise DemoticError(
                f"{names} is missing", folder, hint="give a folder from `demotic prepare` or `demotic train`"
            )
        options = stored_options(file, load_toml(file).get("prepare", {}))
        sides: tuple[Side, Side] = ("source", "target")
        casing = {
            side: CasingModel.load(path)
            for side in sides
            if (path := place / _CASING.format(side=side)).exists()
        }
        splitter = CompoundSplitter.load(place / _COMPOUNDS, options.compound) if options.compounds else None
        return cls(options, casing, splitter)
