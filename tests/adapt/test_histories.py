"""Whatever a model has been through, its rules are those of an index of the pairs that it should have."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapt.conftest import Lines
from demotic.adapt import CorrectionOptions, LearningModel, forget
from demotic.align.pharaoh import format_links
from demotic.grammar import ADDITION, Grammar, index_files
from small_model import EXACT

STEPS = ("learn", "learn", "learn", "undo", "merge", "restart", "forget")
PAIRS_ONLY = CorrectionOptions(weights=False)


class History:
    """A model, and the pairs that it should have, with their links."""

    def __init__(self, learnable: Path, folder: Path) -> None:
        self.root = folder
        self.model = LearningModel(
            shutil.copytree(learnable, folder / "model", ignore=shutil.ignore_patterns("run")), PAIRS_ONLY
        )
        index = self.model.index
        self.pairs = [self._pair(number) for number in range(len(index))]
        self.undoable = self.models = 0

    def _pair(self, number: int) -> tuple[str, str, str]:
        index = self.model.index
        return (
            " ".join(index.source(number)),
            " ".join(index.target(number)),
            format_links(index.links(number)),
        )

    def step(self, name: str, corrections: Lines, data: st.DataObject) -> None:
        if name == "learn":
            pair = self.model.prepared(*data.draw(st.sampled_from(corrections)))
            if self.model.learn_pair(pair):
                links = format_links(self.model.aligner.align(*pair).links)
                self.pairs.append((*pair, links))
                self.undoable += 1
        elif name == "undo" and self.undoable:
            last = data.draw(st.integers(1, self.undoable))
            self.model.undo(last)
            del self.pairs[-last:]
            self.undoable -= last
        elif name == "merge":
            self.model.merge()
            self.undoable = 0
        elif name == "restart":
            self.model = LearningModel(self.model.folder, PAIRS_ONLY)
        elif name == "forget":
            gone = data.draw(st.sets(st.integers(0, len(self.pairs) - 1), min_size=1, max_size=9))
            self.models += 1
            out = self.root / str(self.models)
            forget(self.model, gone, out, threads=1)
            self.pairs = [pair for number, pair in enumerate(self.pairs) if number not in gone]
            self.model, self.undoable = LearningModel(out, PAIRS_ONLY), 0

    def check(self, corrections: Lines) -> None:
        files = [self.root / name for name in ("src", "tgt", "links")]
        for file, lines in zip(files, zip(*self.pairs, strict=True), strict=True):
            file.write_text("".join(line + "\n" for line in lines), "utf-8")
        whole = index_files(files[0], files[1], files[2], self.root / "whole.bin").with_options(EXACT)
        for source, _ in corrections[:3]:
            words = self.model.preprocessor.words(source, "source")
            assert content(self.model.index.grammar(words)) == content(whole.grammar(words))


def content(grammar: Grammar) -> list[tuple[object, ...]]:
    return [
        (rule.source, rule.target, rule.alignment, {k: v for k, v in rule.features.items() if k != ADDITION})
        for rule in grammar
    ]


def check_history(learnable: Path, corrections: Lines, data: st.DataObject) -> None:
    steps = data.draw(st.lists(st.sampled_from(STEPS), min_size=4, max_size=8))
    with tempfile.TemporaryDirectory() as folder:
        history = History(learnable, Path(folder))
        for step in steps:
            history.step(step, corrections, data)
        history.check(corrections)


@given(st.data())
@settings(max_examples=4, deadline=None)
def test_a_few_histories(learnable: Path, corrections: Lines, data: st.DataObject):
    check_history(learnable, corrections, data)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=50, deadline=None)
def test_fifty_histories(learnable: Path, corrections: Lines, data: st.DataObject):
    check_history(learnable, corrections, data)
