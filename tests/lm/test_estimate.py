"""Estimation against lmplz's models and against the definition."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base.errors import DemoticError, DemoticWarning
from demotic.base.files import read_lines
from demotic.lm import LanguageModel, LmOptions, train

sys.path.insert(0, str(Path(__file__).parent))
from oracle import kneser_ney, log10, read_arpa

words = st.sampled_from(["a", "b", "c", "d", "e", "f", "ä"])
texts = st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=30)

pytestmark = pytest.mark.filterwarnings("ignore::demotic.base.errors.DemoticWarning")


def write(path: Path, sentences: list[list[str]]) -> Path:
    path.write_text("".join(" ".join(sentence) + "\n" for sentence in sentences), encoding="utf-8")
    return path


def trained(folder: Path, sentences: list[list[str]], options: LmOptions, **more):
    out = folder / "lm.arpa"
    summary = train([write(folder / "text", sentences)], options, out, **more)
    return read_arpa(out.read_text("utf-8")), summary


@pytest.mark.parametrize("order", [3, 5])
def test_golden_models(golden: Path, tmp_path: Path, order: int):
    out = tmp_path / "lm.arpa"
    summary = train([golden / "bitext.en.xz"], LmOptions(order=order), out)
    expected = read_arpa("\n".join(read_lines(golden / f"lm{order}.arpa.xz")))
    found = read_arpa(out.read_text("utf-8"))
    assert found.keys() == expected.keys()
    worst = np.abs(np.array([found[ngram] for ngram in expected]) - np.array(list(expected.values()))).max()
    assert worst < 1e-5
    assert summary.sentences == 5000
    assert summary.fallback == ()


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(1, 5), st.sampled_from([(), (0, 0, 1), (0, 1, 1, 2), (0,), (0, 3)]))
def test_equals_the_definition(tmp_path_factory, sentences, order, prune):
    prune = prune[:order]
    folder = tmp_path_factory.mktemp("lm")
    found, _ = trained(folder, sentences, LmOptions(order=order, prune=prune), threads=1)
    prob, backoff = kneser_ney(sentences, order, list(prune))
    assert found.keys() == prob.keys() | {("<s>",)}
    for ngram, value in prob.items():
        assert found[ngram][0] == pytest.approx(log10(value), abs=1e-5)
        if len(ngram) < order:
            expected = log10(backoff[ngram]) if ngram in backoff else 0
            assert found[ngram][1] == pytest.approx(expected, abs=1e-5)
    if order > 1:
        assert found[("<s>",)] == (0, pytest.approx(log10(backoff[("<s>",)]), abs=1e-5))


@settings(max_examples=40, deadline=None)
@given(texts, st.integers(1, 4), st.sampled_from([(), (0, 0, 1), (0, 2)]))
def test_probabilities_of_every_context_sum_to_one(tmp_path_factory, sentences, order, prune):
    folder = tmp_path_factory.mktemp("lm")
    train([write(folder / "text", sentences)], LmOptions(order=order, prune=prune[:order]), folder / "lm.bin")
    model = LanguageModel.load(folder / "lm.bin")
    vocabulary = [*sorted({word for sentence in sentences for word in sentence}), "unheard-of"]
    states = {model.begin_state()}
    for sentence in sentences:  # every state that the text leads to
        state = model.begin_state()
        for word in sentence:
            state = model.score_word(state, word)[1]
            states.add(state)
    for state in states:
        total = sum(10 ** model.score_word(state, word)[0] for word in vocabulary)
        assert total + 10 ** model.score_end(state) == pytest.approx(1, abs=1e-5)


@settings(max_examples=25, deadline=None)
@given(texts, st.integers(1, 9))
def test_threads_and_disk_do_not_change_a_byte(tmp_path_factory, sentences, order):
    folder = tmp_path_factory.mktemp("lm")
    text = write(folder / "text", sentences * 40)  # more words than the smallest block holds
    for name, more in {"a": {"threads": 1}, "b": {"threads": 3}, "c": {"threads": 2, "memory": 0}}.items():
        train([text], LmOptions(order=order), folder / f"{name}.bin", temporary=folder, **more)
    assert (folder / "a.bin").read_bytes() == (folder / "b.bin").read_bytes()
    assert (folder / "a.bin").read_bytes() == (folder / "c.bin").read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["a.bin", "b.bin", "c.bin", "text"]


def test_several_files_are_one_text(tmp_path: Path):
    write(tmp_path / "a", [["x", "y"], ["x"]])
    write(tmp_path / "b", [["z", "y"]])
    write(tmp_path / "ab", [["x", "y"], ["x"], ["z", "y"]])
    train([tmp_path / "a", tmp_path / "b"], LmOptions(order=2), tmp_path / "two.bin")
    train([tmp_path / "ab"], LmOptions(order=2), tmp_path / "one.bin")
    assert (tmp_path / "one.bin").read_bytes() == (tmp_path / "two.bin").read_bytes()


def test_words_outside_the_vocabulary_are_counted_as_unk(tmp_path: Path):
    sentences = [["a", "b", "rare"], ["a", "b", "seldom", "b"], ["b", "a"]]
    limited, _ = trained(tmp_path, sentences, LmOptions(order=2, vocab_size=2))
    replaced = [[word if word in "ab" else "<unk>" for word in sentence] for sentence in sentences]
    assert ("b", "<unk>") in limited
    written, _ = trained(tmp_path, replaced, LmOptions(order=2))
    assert limited == written
    known = write(tmp_path / "known", [["b", "a", "elsewhere"]])
    from_text, _ = trained(tmp_path, sentences, LmOptions(order=2, vocab_from=(known,)))
    assert from_text == limited
    prob, _ = kneser_ney(replaced, 2)
    assert {ngram for ngram in written if ngram != ("<s>",)} == prob.keys()


def test_monolingual_text_counts_like_the_other(tmp_path: Path):
    text, mono = [["a", "b"], ["b", "a", "c"]], [["a", "new", "b"], ["other", "b", "b"]]
    write(tmp_path / "text", text)
    write(tmp_path / "mono", mono)
    write(tmp_path / "both", text + mono)
    for options in (LmOptions(order=3), LmOptions(order=3, vocab_size=2)):
        train([tmp_path / "both"], options, tmp_path / "both.bin")
        train([tmp_path / "text"], options, tmp_path / "extra.bin", extra=[tmp_path / "mono"])
        assert (tmp_path / "both.bin").read_bytes() == (tmp_path / "extra.bin").read_bytes()


def test_a_vocabulary_of_the_parallel_text(tmp_path: Path):
    """Monolingual words that it lacks are <unk>: the n-grams and probabilities of the textbook's formulas on replaced text."""
    text, mono = [["a", "b"], ["b", "a", "c"]], [["a", "new", "b"], ["other", "b", "b", "new"]]
    replaced = text + [[word if word in "abc" else "<unk>" for word in words] for words in mono]
    write(tmp_path / "text", text)
    write(tmp_path / "mono", mono)
    options = LmOptions(order=3, vocabulary="parallel")
    summary = train([tmp_path / "text"], options, tmp_path / "lm.arpa", extra=[tmp_path / "mono"])
    assert (summary.sentences, summary.words) == (4, 12)
    found = read_arpa((tmp_path / "lm.arpa").read_text("utf-8"))
    prob, _ = kneser_ney(replaced, 3)
    assert found.keys() - {("<s>",)} == prob.keys()
    assert {ngram: 10 ** found[ngram][0] for ngram in prob} == pytest.approx(prob, abs=1e-5)
    write(tmp_path / "replaced", replaced)
    train([tmp_path / "replaced"], LmOptions(order=3), tmp_path / "replaced.arpa")
    assert read_arpa((tmp_path / "replaced.arpa").read_text("utf-8")) == found
    # A second limit leaves words of the parallel text that are in both.
    (tmp_path / "words").write_text("a new b\n", encoding="utf-8")
    both = replace(options, vocab_from=(tmp_path / "words",))
    train([tmp_path / "text"], both, tmp_path / "both.arpa", extra=[tmp_path / "mono"])
    words = {ngram[0] for ngram in read_arpa((tmp_path / "both.arpa").read_text("utf-8")) if len(ngram) == 1}
    assert words == {"<s>", "</s>", "<unk>", "a", "b"}


def test_equally_frequent_words_are_chosen_by_spelling(tmp_path: Path):
    found, _ = trained(tmp_path, [["z", "y", "x", "w"]], LmOptions(order=1, vocab_size=2))
    assert {ngram[0] for ngram in found} == {"<unk>", "<s>", "</s>", "w", "x"}


@pytest.mark.filterwarnings("default::demotic.base.errors.DemoticWarning")
def test_undefined_discounts_fall_back_with_a_warning(tmp_path: Path):
    with pytest.warns(DemoticWarning, match=r"0\.5, 1 and 1\.5 are used instead"):
        _, summary = trained(tmp_path, [["a", "b"]], LmOptions(order=2))
    assert summary.fallback == (1, 2)
    assert summary.discounts == ((0.5, 1.0, 1.5), (0.5, 1.0, 1.5))


def test_lines_without_words_are_left_out(tmp_path: Path):
    (tmp_path / "gaps").write_text("a b\n\n  \t \r\nb\n\n", encoding="utf-8")
    write(tmp_path / "plain", [["a", "b"], ["b"]])
    for name in ("gaps", "plain"):
        train([tmp_path / name], LmOptions(order=2), tmp_path / f"{name}.bin")
    assert (tmp_path / "gaps.bin").read_bytes() == (tmp_path / "plain.bin").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty"),
        ("\n\n", "the text is empty"),
        ("a b\nc <s> d\n", "the text contains '<s>'"),
        ("a b\nc </s>\n", "the text contains '</s>'"),
        ("a\nb\x00c\n", "NUL byte"),
    ],
)
def test_bad_text(tmp_path: Path, text: str, message: str):
    (tmp_path / "text").write_text(text, encoding="utf-8")
    with pytest.raises(DemoticError, match=message) as caught:
        train([tmp_path / "text"], LmOptions(order=2), tmp_path / "lm.bin")
    assert caught.value.file == str(tmp_path / "text")
    assert caught.value.line == (2 if "\nb" in text or "\nc" in text else None)
    assert not (tmp_path / "lm.bin").exists()


def test_text_that_is_not_utf8(tmp_path: Path):
    (tmp_path / "text").write_bytes("a\nhäuser\n".encode("latin-1"))
    with pytest.raises(DemoticError, match="not valid UTF-8") as caught:
        train([tmp_path / "text"], LmOptions(order=2), tmp_path / "lm.bin")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (LmOptions(order=0), "order must be between 1 and 255 \\(got 0"),
        (LmOptions(order=256), "order must be between 1 and 255 \\(got 256"),
        (LmOptions(order=2, prune=(1, 1)), "single words cannot be pruned"),
        (LmOptions(order=3, prune=(0, 2, 1)), "lower than the one before"),
        (LmOptions(order=2, prune=(0, 1, 2)), "at most 2 pruning thresholds"),
        (LmOptions(order=2, prune=(0, -1)), "must be at least 0"),
    ],
)
def test_impossible_options(tmp_path: Path, options: LmOptions, message: str):
    with pytest.raises(DemoticError, match=message):
        trained(tmp_path, [["a"]], options)


def test_unknown_format(tmp_path: Path):
    with pytest.raises(DemoticError, match="unknown format"):
        train([tmp_path / "absent"], LmOptions(), tmp_path / "lm.txt")
