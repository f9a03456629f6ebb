"""Word classes: the exchange algorithm against brute force; files."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.corpus import Vocab, WordClasses, cluster
from demotic.corpus.word_classes import MOST_CLASSES, parse_sizes

Text = Sequence[Sequence[str]]

texts = st.lists(
    st.lists(st.sampled_from(list("abcdefgh")), min_size=1, max_size=8), min_size=1, max_size=12
).filter(lambda text: len({word for line in text for word in line}) >= 4)


def tokens_of(text: Text, words: Sequence[str] = ()) -> tuple[np.ndarray, Vocab]:
    """The text as ids; `words` have the first of them."""
    vocab = Vocab()
    for word in words:
        vocab.add(word)
    tokens = [token for line in text for token in [*(vocab.add(word) + 1 for word in line), 0]]
    return np.array(tokens, dtype=np.uint32), vocab


def clustered(text: Text, classes: int, **options: int) -> tuple[WordClasses, list[float]]:
    return cluster(*tokens_of(text), classes, **options)


def perplexity(text: Text, class_of: Mapping[str, object]) -> float:
    """Of the text under the class bigram model with relative frequencies, word for word from its definition."""
    words = [word for line in text for word in [*line, "</s>"]]
    classes = ["</s>" if word == "</s>" else class_of[word] for word in words]
    pairs = list(itertools.pairwise(["</s>", *classes]))
    word_counts, class_counts, pair_counts = Counter(words), Counter(classes), Counter(pairs)
    probabilities = [
        word_counts[word] / class_counts[g] * pair_counts[before, g] / class_counts[before]
        for word, (before, g) in zip(words, pairs, strict=True)
    ]
    return math.exp(-math.fsum(map(math.log, probabilities)) / len(words))


def assignment(classes: WordClasses, text: Text) -> dict[str, str]:
    return {word: classes.of(word) for line in text for word in line}


@given(texts, st.integers(2, 4))
@settings(max_examples=60)
def test_the_likelihood_never_falls_and_is_that_of_the_definition(text: Text, size: int):
    classes, perplexities = clustered(text, size, iterations=50)
    assert all(after <= before * (1 + 1e-12) for before, after in itertools.pairwise(perplexities))
    assert perplexities[-1] == pytest.approx(perplexity(text, assignment(classes, text)), rel=1e-9)


@given(texts, st.integers(2, 4))
@settings(max_examples=60)
def test_no_single_word_gains_by_moving(text: Text, size: int):
    classes, _ = clustered(text, size, iterations=100)
    found = assignment(classes, text)
    best = perplexity(text, found)
    for word, number in itertools.product(found, range(1, size + 1)):
        assert perplexity(text, {**found, word: str(number)}) >= best * (1 - 1e-6)


@given(texts, st.integers(2, 4), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_ids_of_words_do_not_matter(text: Text, size: int, random):
    words = sorted({word for line in text for word in line})
    random.shuffle(words)
    other, _ = cluster(*tokens_of(text, words), size)
    assert other.native.to_text() == clustered(text, size)[0].native.to_text()


def test_threads_do_not_matter():
    random = np.random.default_rng(3)
    text = [[f"w{int(i)}" for i in random.zipf(1.3, 12) if i < 900] or ["x"] for _ in range(600)]
    one, two = (clustered(text, 20, iterations=6, threads=n) for n in (1, 3))
    assert one[0].native.to_text() == two[0].native.to_text() and one[1] == two[1]
    assert len(one[1]) > 3


def test_words_of_the_same_kind_come_together():
    nouns, verbs, articles = ["dog", "cat", "cow", "pig"], ["sees", "likes", "bites"], ["the", "a"]
    sides = itertools.product(articles, nouns, verbs, articles, nouns)
    text = [[a, n, v, b, m] for a, n, v, b, m in sides]
    classes, _ = clustered(text, 3, iterations=50)
    assert {len({classes.of(word) for word in kind}) for kind in (nouns, verbs, articles)} == {1}
    assert len({classes.of(kind[0]) for kind in (nouns, verbs, articles)}) == 3
    assert classes.of("the") == "1" and classes.members(1) == ["a", "the"]


@pytest.mark.parametrize(
    ("word", "name"), [("1984b", "num"), ("?!", "sym"), ("wombat", "unk"), ("où", "unk")]
)
def test_words_in_no_class_have_one_by_their_shape(word: str, name: str):
    assert clustered([["a", "b"]], 2)[0].of(word) == name


# --- files ------------------------------------------------------------------------------------------------------------


def test_files_hold_what_was_saved(tmp_path: Path):
    classes, _ = clustered([["a\tb", "c", "\x85", "ü"], ["c", "ü"]], 2)
    classes.save(tmp_path / "classes.src.2")
    again = WordClasses.load(tmp_path / "classes.src.2", 2)
    assert again.native.to_text() == classes.native.to_text() and again.words == 4
    assert [again.of(word) for word in ("a\tb", "ü")] == [classes.of(word) for word in ("a\tb", "ü")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "fewer than two"),
        ("a\t1\nb\t1\n", "fewer than two"),
        ("a\t1\nb\n", ":2: a line must have"),
        ("a\t1\n\nb\t2\n", ":2: a line must have"),
        ("\t1\n", ":1: a line must have"),
        ("a\t1\nb\tx\n", ":2: 'x' is not the number of a class from 1 to 50"),
        ("a\t0\n", ":1: '0' is not"),
        ("a\t51\n", ":1: '51' is not"),
        ("a\t-1\n", ":1: '-1' is not"),
        ("a\t99999999999999999999\n", "is not the number"),
        ("a\t1\nb\t2\na\t2\n", ":3: the word 'a' comes twice"),
        ("a\t1\nb\t3\n", "class 2 has no words"),
    ],
)
def test_damaged_files(tmp_path: Path, text: str, message: str):
    path = tmp_path / "classes.src.50"
    path.write_text(text)
    with pytest.raises(DemoticError) as error:
        WordClasses.load(path, 50)
    assert message in str(error.value) and str(path) in str(error.value)


@given(st.binary(max_size=60))
def test_any_bytes_are_classes_or_an_error(data: bytes):
    from demotic._core import WordClasses as Native

    try:
        found = Native.from_text(data, "f", 50)
    except DemoticError:
        return
    assert Native.from_text(found.to_text(), "f", 50).to_text() == found.to_text()


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (0, "from 2 to"),
        (1, "from 2 to"),
        (MOST_CLASSES + 1, f"from 2 to {MOST_CLASSES} "),
        (MOST_CLASSES, "of 3 "),
        (5, "of 3 "),
    ],
)
def test_numbers_of_classes_that_cannot_be(size: int, message: str):
    with pytest.raises(DemoticError, match=message):
        clustered([["a", "b", "c"]], size)


def test_tokens_that_are_no_words():
    tokens, vocab = tokens_of([["a", "b"]])
    for wrong in (tokens + 5, tokens[:-1]):
        with pytest.raises(DemoticError):
            cluster(wrong, vocab, 2)


def test_sizes_on_the_command_line():
    assert parse_sizes("200, 50,50") == (50, 200)
    for text in ("", "50,", "x", "1", "-3", "5.5", "٣٣", "100000"):
        with pytest.raises(DemoticError, match="number of word classes must be from 2"):
            parse_sizes(text)
