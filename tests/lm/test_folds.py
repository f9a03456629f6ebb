"""Fold models against models of the remaining sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base.errors import DemoticError
from demotic.corpus.splits import folds
from demotic.lm import LanguageModel, LmOptions, train, train_folds

pytestmark = pytest.mark.filterwarnings("ignore::demotic.base.errors.DemoticWarning")

words = st.sampled_from("abcdefgh")
texts = st.lists(st.lists(words, max_size=6), min_size=6, max_size=30)


def arpa_lines(model: Path) -> set[str]:
    """The n-grams with their values; words have other ids in a fold model, so the order differs."""
    out = model.with_suffix(".arpa")
    LanguageModel.load(model).save(out)
    return set(out.read_text("utf-8").split("\n"))


@settings(max_examples=25, deadline=None)
@given(texts, st.integers(1, 4), st.sampled_from([(), (0, 0, 1)]), st.booleans(), st.booleans())
def test_equal_to_training_on_the_rest(tmp_path_factory, sentences, order, prune, with_extra, on_disk):
    folder = tmp_path_factory.mktemp("folds")
    lines = [" ".join(sentence) for sentence in sentences]
    fold_of = np.arange(len(lines)) % 3
    for fold in range(3):  # no fold may hold the whole text
        lines[fold] = "a b c"
    (folder / "text").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "mono").write_text("m a b\nb n\n", encoding="utf-8")
    extra = [folder / "mono"] if with_extra else []
    options = LmOptions(order=order, prune=prune[:order])
    train_folds(
        folder / "text", fold_of, options, folder / "out", extra=extra, memory=0 if on_disk else 1 << 20
    )
    for fold in range(3):
        rest = folder / f"rest{fold}"
        rest.write_text(
            "".join(line + "\n" for line, f in zip(lines, fold_of, strict=True) if f != fold),
            encoding="utf-8",
        )
        train([rest, *extra], options, folder / f"rest{fold}.bin")
        assert arpa_lines(folder / f"out/lm.{fold}.bin") == arpa_lines(folder / f"rest{fold}.bin")


@settings(max_examples=15, deadline=None)
@given(texts, texts, st.integers(1, 4), st.sampled_from([(), (0, 0, 1)]))
def test_monolingual_words_outside_the_other_folds_are_unknown(
    tmp_path_factory, sentences, mono, order, prune
):
    """Model i is that of the text without fold i and of the monolingual text, in which words that the former lacks are <unk>."""
    folder = tmp_path_factory.mktemp("folds")
    sentences = [["a", "b"], ["b", "c"], ["c", "a"], *sentences]  # no fold may hold the whole text
    mono = [[*words, "new"] for words in mono]
    fold_of = np.arange(len(sentences)) % 3
    write(folder / "text", sentences)
    write(folder / "mono", mono)
    options = LmOptions(order=order, prune=prune[:order])
    closed = replace(options, vocabulary="parallel")
    train_folds(folder / "text", fold_of, closed, folder / "out", extra=[folder / "mono"])
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["lm.0.bin", "lm.1.bin", "lm.2.bin"]
    for fold in range(3):
        rest = [words for words, f in zip(sentences, fold_of, strict=True) if f != fold]
        known = {word for words in rest for word in words}
        replaced = [[word if word in known else "<unk>" for word in words] for words in mono]
        write(folder / "rest", [*rest, *replaced])
        train([folder / "rest"], options, folder / "rest.bin")
        assert arpa_lines(folder / f"out/lm.{fold}.bin") == arpa_lines(folder / "rest.bin")


def write(path: Path, sentences: list[list[str]]) -> None:
    path.write_text("".join(" ".join(words) + "\n" for words in sentences), encoding="utf-8")


def test_threads_do_not_change_a_byte(tmp_path: Path):
    lines = [f"w{i % 7} w{i % 3} w{i % 11}" for i in range(100)]
    (tmp_path / "text").write_text("\n".join(lines), encoding="utf-8")
    fold_of = folds(100, 4, seed=1)
    for threads in (1, 3):
        train_folds(tmp_path / "text", fold_of, LmOptions(order=3), tmp_path / str(threads), threads=threads)
    for fold in range(4):
        a, b = (tmp_path / str(threads) / f"lm.{fold}.bin" for threads in (1, 3))
        assert a.read_bytes() == b.read_bytes()


@pytest.mark.parametrize(
    ("fold_of", "message"),
    [
        ([0, 1], "3 lines \\(got 2\\)"),
        ([0, 1, 0, 1], "3 lines \\(got 4\\)"),
        ([0, 0, 0], "no sentence is left"),
        ([0, -1, 0], "folds must be between 0"),
        ([], "one for each line"),
    ],
)
def test_folds_that_do_not_fit(tmp_path: Path, fold_of: list[int], message: str):
    (tmp_path / "text").write_text("a\nb\nc\n", encoding="utf-8")
    with pytest.raises(DemoticError, match=message):
        train_folds(tmp_path / "text", fold_of, LmOptions(order=2), tmp_path / "out")
    assert not list(tmp_path.glob("out/*"))


@pytest.mark.parametrize("fold_of", [[0, 1], [0, 1, 0, 1], [0, 0, 0]])
def test_folds_that_do_not_fit_a_closed_vocabulary(tmp_path: Path, fold_of: list[int]):
    (tmp_path / "text").write_text("a\nb\nc\n", encoding="utf-8")
    (tmp_path / "mono").write_text("a b\n", encoding="utf-8")
    options = LmOptions(order=2, vocabulary="parallel")
    with pytest.raises(DemoticError, match=r"for each of 3 lines|no sentence"):
        train_folds(tmp_path / "text", fold_of, options, tmp_path / "out", extra=[tmp_path / "mono"])
    assert not list(tmp_path.glob("out/*"))
