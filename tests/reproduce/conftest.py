"""The tiny corpus of the tests in this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.reproduce import CorpusFolder


@pytest.fixture(scope="module")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> CorpusFolder:
    folder = tmp_path_factory.mktemp("corpus")
    write(folder, EmbeddedOptions(train=150, dev=8, devtest=8, test=6))
    return CorpusFolder(folder)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reproduce")
