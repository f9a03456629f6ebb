"""Queries against the kenlm package, the definition of backoff, and each other."""

from __future__ import annotations

import itertools
import lzma
import pickle
import random
import sys
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from demotic._core import ChartState
from demotic.base.errors import DemoticError
from demotic.base.files import read_lines
from demotic.lm import LanguageModel, LmOptions, train

sys.path.insert(0, str(Path(__file__).parent))
from oracle import arpa_score, read_arpa
from pieces import piece

pytestmark = pytest.mark.filterwarnings("ignore::demotic.base.errors.DemoticWarning")

words = st.sampled_from(["a", "b", "c", "d", "e"])
texts = st.lists(st.lists(words, min_size=1, max_size=7), min_size=1, max_size=25)
queries = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "unheard", "<unk>", "<s>", "</s>"]), max_size=9)

# Pruned by another tool: "b c" is missing although "a b c" is there, backoffs are missing, -inf, junk before \data\.
SRILM = """written by some other tool

\\data\\
ngram 1=6
ngram 2=4
ngram 3= 3

\\1-grams:
-0.9 </s>
-99 <s> -0.3
-inf <unk>
-0.7 a -0.2
-0.8 b -0.4
-0.6 c 0.1

\\2-grams:
-0.5 <s> a -0.25
-0.4 a b -0.15
-0.3 c a
-0.2 b </s>

\\3-grams:
-0.1 a b c
-0.15 <s> a b
-0.05 c a b

\\end\\
trailing junk
"""


def load(folder: Path, sentences: list[list[str]], order: int, prune: tuple[int, ...] = ()) -> LanguageModel:
    (folder / "text").write_text("".join(" ".join(s) + "\n" for s in sentences), encoding="utf-8")
    train([folder / "text"], LmOptions(order=order, prune=prune[:order]), folder / "lm.bin")
    return LanguageModel.load(folder / "lm.bin")


def as_words(sentence: list[str]) -> list[str]:
    """What a model sees: sentence marks inside a sentence are unknown words."""
    return ["<unk>" if word in {"<s>", "</s>", "unheard"} else word for word in sentence]


@pytest.mark.slow
@pytest.mark.parametrize("order", [3, 5])
def test_equal_to_kenlm(golden: Path, tmp_path: Path, order: int):
    kenlm = pytest.importorskip("kenlm")
    arpa = tmp_path / "lm.arpa"
    arpa.write_bytes(lzma.decompress((golden / f"lm{order}.arpa.xz").read_bytes()))
    model, peer = LanguageModel.load(golden / f"lm{order}.arpa.xz"), kenlm.Model(str(arpa))
    sentences = list(read_lines(golden / "bitext.en.xz"))
    rng = random.Random(1)
    for i, sentence in enumerate(sentences):
        other = sentence.split()
        rng.shuffle(other)  # backs off a lot
        for text in (sentence, " ".join(other[: i % 20]), " ".join(["unheard-of", *other])):
            assert model.score(text) == pytest.approx(peer.score(text), abs=1e-4)
    for sentence in sentences[:200]:
        details = list(peer.full_scores(sentence))
        assert [(d.matched, d.oov) for d in model.score_words(sentence)] == [
            (n, oov) for _, n, oov in details
        ]
    assert model.perplexity(sentences[:50]) == pytest.approx(peer_perplexity(peer, sentences[:50]), rel=1e-4)


def peer_perplexity(peer, sentences: list[str]) -> float:
    return 10 ** (-sum(map(peer.score, sentences)) / sum(len(s.split()) + 1 for s in sentences))


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(1, 7), st.sampled_from([(), (0, 0, 1), (0, 1)]), queries)
def test_equals_the_definition_of_backoff(tmp_path_factory, sentences, order, prune, query):
    folder = tmp_path_factory.mktemp("lm")
    model = load(folder, sentences, order, prune)
    model.save(folder / "lm.arpa")
    ngrams = read_arpa((folder / "lm.arpa").read_text("utf-8"))
    history = ("<s>",)
    expected = []
    for word in [*as_words(query), "</s>"]:
        word = word if (word,) in ngrams else "<unk>"
        expected.append(arpa_score(ngrams, history[max(0, len(history) - order + 1) :], word))
        history = (*history, word)
    assert [d.log10 for d in model.score_words(query)] == pytest.approx(expected, abs=1e-4)
    assert model.score(query) == pytest.approx(sum(expected), abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(1, 7), st.sampled_from([(), (0, 0, 1), (0, 1)]), queries, st.randoms())
def test_pieces_merged_in_any_order_give_the_sentence(tmp_path_factory, sentences, order, prune, query, rng):
    model = load(tmp_path_factory.mktemp("lm"), sentences, order, prune)
    assert merged_pieces(model, query, rng) == read_through(model, query)


def merged_pieces(model: LanguageModel, query: list[str], rng: random.Random) -> tuple[object, ...]:
    """Cut at random, merge neighbours at random: the total, what the state knows to the right, and whether words are still open."""
    borders = sorted({0, len(query), *(rng.randrange(len(query) + 1) for _ in range(rng.randrange(6)))})
    spans = list(itertools.pairwise(borders)) or [(0, 0)]
    pieces = [(0.0, model.core.begin_piece())] + [piece(model, query[i:j]) for i, j in spans]
    while len(pieces) > 1:
        at = rng.randrange(len(pieces) - 1)
        (a, first), (b, second) = pieces[at : at + 2]
        change, state = model.core.merge(first, second)
        pieces[at : at + 2] = [(a + b + change, state)]
    total, state = pieces[0]
    return total + model.score_end(state.right), state.right, state.full, state.left


def read_through(model: LanguageModel, query: list[str]) -> tuple[object, ...]:
    """The same from left to right."""
    right = model.begin_state()
    for word in query:
        right = model.score_word(right, word)[1]
    return pytest.approx(model.score(query), abs=1e-4), right, True, 0


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(1, 4), queries, queries, queries, queries, queries)
@example([["a"]], 1, [], [], ["a"], [], [])
def test_equal_states_have_equal_futures(tmp_path_factory, sentences, order, head, x, y, tail, around):
    """Pieces with the same first and last `order - 1` words are equal; others may be. A piece without words is like none that has some."""
    model = load(tmp_path_factory.mktemp("lm"), sentences, order)
    first, second = [*head, *x, *tail], [*head, *y, *tail]
    (a, one), (b, two) = piece(model, first), piece(model, second)
    assert one == two or min(len(head), len(tail)) < order - 1 or not (first and second)
    assume(one == two)
    assert hash(one) == hash(two)
    change = model.score([*around, *first, *around]) - model.score([*around, *second, *around])
    assert change == pytest.approx(a - b, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(queries, queries, queries)
def test_merge_is_associative_and_empty_is_neutral(tmp_path_factory, x, y, z):
    model = load(tmp_path_factory.mktemp("lm"), [list("abcde"), list("abcab"), list("eabcd")], 4)
    (_, a), (_, b), (_, c) = (piece(model, words) for words in (x, y, z))
    ab, left = model.core.merge(a, b)
    ab_c, left_all = model.core.merge(left, c)
    bc, right = model.core.merge(b, c)
    a_bc, right_all = model.core.merge(a, right)
    assert left_all == right_all == piece(model, [*x, *y, *z])[1]
    assert ab + ab_c == pytest.approx(bc + a_bc, abs=1e-4)
    assert model.core.merge(a, ChartState()) == (0, a)
    assert model.core.merge(ChartState(), a) == (0, a)


def test_models_of_other_tools(tmp_path: Path):
    """Suffixes that were pruned away, missing backoffs: the scores are those of the definition, in any direction."""
    (tmp_path / "lm.arpa").write_text(SRILM, encoding="utf-8")
    model = LanguageModel.load(tmp_path / "lm.arpa")
    ngrams = {ngram: (max(-99.0, p), b) for ngram, (p, b) in read_arpa(SRILM.split("\\end")[0]).items()}
    rng = random.Random(3)
    for _ in range(300):
        query = [rng.choice(["a", "b", "c", "x"]) for _ in range(rng.randrange(7))]
        known = ["<s>", *("<unk>" if word == "x" else word for word in query), "</s>"]
        expected = sum(
            arpa_score(ngrams, tuple(known[max(0, i - 2) : i]), known[i]) for i in range(1, len(known))
        )
        assert model.score(query) == pytest.approx(expected, abs=1e-4)
        assert merged_pieces(model, query, rng) == read_through(model, query)


@settings(max_examples=20, deadline=None)
@given(texts, st.integers(1, 6))
def test_formats_give_each_other_back(tmp_path_factory, sentences, order):
    folder = tmp_path_factory.mktemp("lm")
    load(folder, sentences, order)
    train([folder / "text"], LmOptions(order=order), folder / "trained.arpa")
    for source, target in [
        ("lm.bin", "a.arpa"),
        ("a.arpa", "b.bin"),
        ("b.bin", "b.arpa.gz"),
        ("b.arpa.gz", "c.arpa.xz"),
        ("c.arpa.xz", "c.arpa"),
    ]:
        LanguageModel.load(folder / source).save(folder / target)
    trained = (folder / "trained.arpa").read_bytes()
    assert (folder / "a.arpa").read_bytes() == trained
    assert (folder / "c.arpa").read_bytes() == trained
    assert (folder / "b.bin").read_bytes() == (folder / "lm.bin").read_bytes()


def test_sentence_marks_inside_text_are_unknown_words(tmp_path: Path):
    model = load(tmp_path, [["a", "b"], ["b", "a"]], 3)
    assert model.score("a <s> b </s>") == model.score("a unheard b of") == model.score("a <unk> b <unk>")
    assert [d.oov for d in model.score_words("a <s> </s> <unk> b")] == [False, True, True, True, False, False]
    assert "a" in model
    assert all(word not in model for word in ("<s>", "</s>", "<unk>", "x"))


def test_text_scores(tmp_path: Path):
    model = load(tmp_path, [["a", "b"], ["b", "a"]], 2)
    (tmp_path / "lines").write_text("a b\n\nb x\r\n", encoding="utf-8")
    scores = model.score_text(tmp_path / "lines")
    assert scores.log10.tolist() == pytest.approx([model.score("a b"), model.score(""), model.score("b x")])
    assert scores.words.tolist() == [2, 0, 2]
    assert scores.oov.tolist() == [0, 0, 1]
    assert scores.perplexity == pytest.approx(10 ** (-scores.total_log10 / 7))
    without = scores.total_log10 - model.score_words("b x")[1].log10
    assert scores.perplexity_without_oov == pytest.approx(10 ** (-without / 6))
    assert model.score_text(tmp_path / "lines", threads=3).log10.tolist() == scores.log10.tolist()
    (tmp_path / "empty").touch()
    with pytest.raises(DemoticError, match="the text is empty"):
        model.score_text(tmp_path / "empty")


def test_states_that_no_model_gave_do_no_harm(tmp_path: Path):
    model = load(tmp_path, [["a", "b"], ["b", "a"]], 3)
    for state in (10**6, 2**31, 2**32 - 1):
        assert model.score_word(state, "a")[0] == model.score_word(0, "a")[0]


def test_models_travel_by_their_path(tmp_path: Path):
    model = load(tmp_path, [["a", "b"], ["b", "a"]], 3)
    assert pickle.loads(pickle.dumps(model)).score("a b") == model.score("a b")
    assert model.order == 3
    assert model.ngram_counts[0] == 5
