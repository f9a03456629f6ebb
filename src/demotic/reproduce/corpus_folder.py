"""The folder that `--corpus` names: which files are the training data, the tuning set and the test sets.

Files are called SET.LANGUAGE, plain or with `.xz` or `.gz` behind: `train.de`, `train.en`, `dev.de`, `dev.en`, ... The training data may
have their size in the name (`train300k.de`). Several references are numbered: `dev.en0`, `dev.en1`, ... So are several files of
monolingual text for the language model: `mono.en`, or `mono.en0`, `mono.en1`, ...

| what a table calls | is |
|---|---|
| `dev` | dev |
| `select` | devtest; its odd lines where there is no test set |
| `test` | test; without one, the even lines of devtest |
| `news-dev`, `news-test` | news-dev; news-devtest or news-test: another domain, optional |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish

Lines = Literal["all", "odd", "even"]
_PACKED = ("", ".xz", ".gz")
_TRAIN = re.compile(r"train(\d+[km]?)?")
_ANY = re.compile(r"(?P<set>[\w-]+)\.(?P<language>[a-z]{2,3})\d?(\.xz|\.gz)?")
OPTIONAL = ("news-dev", "news-test")  # a table does without


@dataclass(frozen=True)
class LanguagePair:
    """Source and target language, ISO 639-1."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


@dataclass(frozen=True)
class SetFiles:
    """A set of sentences in files."""

    source: Path
    references: tuple[Path, ...]
    lines: Lines = "all"
    alignment: Path | None = None  # of the words, from elsewhere


class CorpusFolder:
    """A folder of line-aligned text.

    Args:
        folder: holds the files.
        source: source language; default: `de` if there is text in it, else the first language that is not the target's.
        target: target language; default: `en`.
    """

    def __init__(self, folder: Pathish, source: str | None = None, target: str | None = None) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise DemoticError(
                "no such folder", folder, hint="--corpus must be a folder with train.de, train.en, ..."
            )
        self.target = target or "en"
        found = self._training_languages()
        sources = [language for language in found if language != self.target]
        first = source or ("de" if "de" in sources or not sources else sources[0])
        others = [language for language in sources if language != first]
        self.pairs = [LanguagePair(language, self.target) for language in [first, *others]]

    def train(self, pair: LanguagePair) -> SetFiles:
        """The training data."""
        sides = [self._training_file(language) for language in (pair.source, pair.target)]
        source, target = (
            side or self._missing("train", language)
            for side, language in zip(sides, (pair.source, pair.target), strict=True)
        )
        return SetFiles(source, (target,), alignment=self._file(f"train.{pair}.align"))

    def role(self, role: str, pair: LanguagePair) -> SetFiles:
        """What a table calls `dev`, `select`, `test`, `news-dev` or `news-test`.

        Raises:
            DemoticError: if it is not there, with the names that were looked for.
        """
        if role in ("select", "test"):
            return self._selecting_and_reporting(role, pair)
        names = {"dev": ["dev"], "news-dev": ["news-dev"], "news-test": ["news-devtest", "news-test"]}[role]
        found = next((files for name in names if (files := self._set(name, pair))), None)
        return found or self._incomplete(names[0], pair)

    def has(self, role: str, pair: LanguagePair) -> bool:
        """Whether the files of a role are there."""
        try:
            self.role(role, pair)
        except DemoticError:
            return False
        return True

    def mono(self, language: str) -> tuple[Path, ...]:
        """Monolingual text for the language model; there need not be any."""
        return self._one_or_numbered("mono", language)

    def _selecting_and_reporting(self, role: str, pair: LanguagePair) -> SetFiles:
        """Never both on the same lines."""
        devtest, test = self._set("devtest", pair), self._set("test", pair)
        if devtest and test:
            return devtest if role == "select" else test
        only = devtest or test or self._incomplete("devtest", pair)
        return SetFiles(only.source, only.references, "odd" if role == "select" else "even")

    def _set(self, name: str, pair: LanguagePair) -> SetFiles | None:
        source = self._file(f"{name}.{pair.source}")
        references = self._one_or_numbered(name, pair.target)
        return SetFiles(source, references) if source and references else None

    def _one_or_numbered(self, name: str, language: str) -> tuple[Path, ...]:
        one = self._file(f"{name}.{language}")
        numbered = [self._file(f"{name}.{language}{i}") for i in range(10)]
        return tuple(path for path in ([one] if one else numbered) if path)

    def _file(self, name: str) -> Path | None:
        paths = (self.folder / f"{name}{packed}" for packed in _PACKED)
        return next((path for path in paths if path.is_file()), None)

    def _training_file(self, language: str) -> Path | None:
        """train.LANGUAGE, or the one file with its size in the name."""
        if plain := self._file(f"train.{language}"):
            return plain
        found = [
            path
            for path in sorted(self.folder.iterdir())
            if (match := _ANY.fullmatch(path.name))
            and match["language"] == language
            and _TRAIN.fullmatch(match["set"])
        ]
        if len(found) > 1:
            names = " and ".join(path.name for path in found[:2])
            raise DemoticError(
                f"several files could be the training data: {names}",
                self.folder,
                hint=f"rename one to train.{language}",
            )
        return found[0] if found else None

    def _training_languages(self) -> list[str]:
        matches = (_ANY.fullmatch(path.name) for path in self.folder.iterdir())
        return sorted({match["language"] for match in matches if match and _TRAIN.fullmatch(match["set"])})

    def _incomplete(self, name: str, pair: LanguagePair) -> SetFiles:
        """Name the file of a set that is not there."""
        has_source = self._file(f"{name}.{pair.source}") is not None
        self._missing(name, pair.target if has_source else pair.source)
        raise AssertionError

    def _missing(self, name: str, language: str) -> Path:
        there = ", ".join(sorted(path.name for path in self.folder.iterdir())[:8]) or "nothing"
        raise DemoticError(
            f"{name}.{language} is missing; the folder has {there}",
            self.folder,
            hint=f"expected: {_expected_names(self.pairs[0])}; each may end in .xz or .gz",
        )


def _expected_names(pair: LanguagePair) -> str:
    """The files of a corpus folder, for people."""
    return ", ".join(
        f"{name}.{pair.source} and .{pair.target}" for name in ("train", "dev", "devtest", "test")
    )
