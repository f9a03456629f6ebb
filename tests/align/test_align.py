"""Alignment: scores by hand, symmetrisation against a plain implementation, models on a small corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from demotic.align import AlignOptions, align, score_alignment
from demotic.align.pharaoh import format_links, read_links
from demotic.align.score import worst_pairs
from demotic.align.symmetrize import symmetrizer
from demotic.base import DemoticError
from text_files import put


def test_aer_by_hand(tmp_path: Path):
    """A = 4 links, S = 3, P = 4; A & S = 2, A & P = 3."""
    gold = put(tmp_path, "gold", ["0-0 1-1", "0-0 1?1"])
    guess = put(tmp_path, "guess", ["0-0 1-0", "0-0 1-1"])
    score = score_alignment(gold, guess)
    assert score.precision == 3 / 4
    assert score.recall == 2 / 3
    assert score.aer == pytest.approx(1 - (2 + 3) / (4 + 3))


def test_perfect_and_empty_alignments(tmp_path: Path):
    gold = put(tmp_path, "gold", ["0-0 1-1"])
    assert score_alignment(gold, gold).aer == 0
    assert score_alignment(gold, put(tmp_path, "none", [""])).aer == 1
    with pytest.raises(DemoticError, match="2 lines, but"):
        score_alignment(gold, put(tmp_path, "two", ["", ""]))
    with pytest.raises(DemoticError, match="bad:1: '0_1' is not an alignment link"):
        read_links(put(tmp_path, "bad", ["0_1"]))


Links = set[tuple[int, int]]


def neighbours(links: Links) -> Links:
    """The links and the eight places around each."""
    return {(i + a, j + b) for i, j in links for a in (-1, 0, 1) for b in (-1, 0, 1)}


def words_of(links: Links) -> tuple[set[int], set[int]]:
    """The rows and the columns that have a link."""
    return {i for i, _ in links}, {j for _, j in links}


@st.composite
def directions(draw):
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    direct = draw(st.lists(st.integers(0, rows), min_size=columns, max_size=columns))
    inverse = draw(st.lists(st.integers(0, columns), min_size=rows, max_size=rows))
    return direct, inverse


# Here grow-diag-final-and has 2-2, while in grow-diag-final other links leave that one no room.
NO_CHAIN = ([3, 5, 4, 1, 1], [0, 0, 5, 3, 1])


@given(directions())
@example(NO_CHAIN)
def test_symmetrisation_bounds(pair):
    """intersection <= grow-diag <= either form of final <= union; the two forms need not contain each other."""
    direct, inverse = pair
    links = {
        h: set(symmetrizer(h)(direct, inverse))
        for h in ("intersection", "grow-diag", "grow-diag-final-and", "grow-diag-final", "union")
    }
    forward, backward = (
        set(symmetrizer("source-target")(direct, inverse)),
        set(symmetrizer("target-source")(direct, inverse)),
    )
    assert links["intersection"] == forward & backward
    assert links["union"] == forward | backward
    assert links["intersection"] <= links["grow-diag"]
    for final in ("grow-diag-final-and", "grow-diag-final"):
        assert links["grow-diag"] <= links[final] <= links["union"]


def test_the_two_forms_of_final_need_not_contain_each_other():
    strict, loose = (set(symmetrizer(f"grow-diag-final{end}")(*NO_CHAIN)) for end in ("-and", ""))
    assert strict - loose and loose - strict


@given(directions())
@example(NO_CHAIN)
def test_grow_diag_grows_from_the_intersection_until_no_neighbour_can_be_added(pair):
    """Koehn et al. (2003). The result depends on the order of growth; this holds for every order."""
    direct, inverse = pair
    union, intersection, links = (
        set(symmetrizer(h)(direct, inverse)) for h in ("union", "intersection", "grow-diag")
    )
    reached = intersection
    while (more := neighbours(reached) & links) != reached:
        reached = more
    assert reached == links
    rows, columns = words_of(links)
    old_rows, old_columns = words_of(intersection)
    # Each link that was added covered a word of its own.
    assert len(links - intersection) <= len(rows - old_rows) + len(columns - old_columns)
    left = (union - links) & neighbours(links)
    assert not [(i, j) for i, j in left if i not in rows or j not in columns]


@given(directions())
@example(NO_CHAIN)
def test_final_and_adds_only_links_between_two_unaligned_words(pair):
    direct, inverse = pair
    before, after = (set(symmetrizer(h)(direct, inverse)) for h in ("grow-diag", "grow-diag-final-and"))
    rows, columns = words_of(before)
    added = sorted(after - before)
    assert all(i not in rows and j not in columns for i, j in added)
    assert len(added) == len({i for i, _ in added}) == len({j for _, j in added})
    rows, columns = words_of(after)
    for i, j in set(symmetrizer("union")(direct, inverse)) - after:
        assert i in rows or j in columns


@given(directions())
@example(NO_CHAIN)
def test_final_adds_links_of_an_unaligned_word_until_there_is_none(pair):
    direct, inverse = pair
    before, after = (set(symmetrizer(h)(direct, inverse)) for h in ("grow-diag", "grow-diag-final"))
    (rows, columns), (old_rows, old_columns) = words_of(after), words_of(before)
    assert all(i not in old_rows or j not in old_columns for i, j in after - before)
    assert len(after - before) <= len(rows - old_rows) + len(columns - old_columns)
    for i, j in set(symmetrizer("union")(direct, inverse)) - after:
        assert i in rows and j in columns


THOT_METHODS = {
    "grow-diag-final-and": "grow_diag_final_and",
    "grow-diag-final": "grow_diag_final",
    "grow-diag": "grow_diag",
    "grow": "grow",
    "och": "och_symmetrize",
    "intersection": "intersect",
    "union": "union",
}


@pytest.mark.parametrize("heuristic", THOT_METHODS)
@given(directions())
@example(NO_CHAIN)
@settings(derandomize=True, max_examples=60)
def test_symmetrisation_equals_that_of_sil_thot(heuristic, pair):
    common = pytest.importorskip("thot.common")
    direct, inverse = pair
    matrix = common.WordAlignmentMatrix(len(inverse), len(direct))
    matrix.put_list(direct)
    other = common.WordAlignmentMatrix(len(direct), len(inverse))
    other.put_list(inverse)
    other.transpose()
    getattr(matrix, THOT_METHODS[heuristic])(other)
    sources, targets = matrix.to_numpy().nonzero()
    assert symmetrizer(heuristic)(direct, inverse) == list(
        zip(sources.tolist(), targets.tolist(), strict=True)
    )


def toy_corpus(folder: Path) -> tuple[Path, Path]:
    """Word-for-word translation with the verb moved to the end."""
    nouns, verbs = "abcdefghij", "klmno"
    rows = [
        (f"{x} {y} {v}", f"{x.upper()} {v.upper()} {y.upper()}")
        for x in nouns
        for y in nouns
        for v in verbs
        if x != y
    ]
    return put(folder, "s", [s for s, _ in rows]), put(folder, "t", [t for _, t in rows])


@pytest.mark.parametrize("model", ["gibbs", "eflomal", "fast_align", "hmm", "ibm4"])
def test_models_find_a_deterministic_lexicon_and_repeat_themselves(tmp_path: Path, model):
    if model != "gibbs":
        pytest.importorskip("thot")
    source, target = toy_corpus(tmp_path)
    gold = put(tmp_path, "gold", ["0-0 1-2 2-1"] * 450)
    align(source, target, tmp_path / "a1", AlignOptions(model=model), seed=5, workers=2)
    align(source, target, tmp_path / "a2", AlignOptions(model=model), seed=5, workers=1)
    assert (tmp_path / "a1").read_bytes() == (tmp_path / "a2").read_bytes()
    assert score_alignment(gold, tmp_path / "a1").aer < 0.1


def test_bad_input_is_found_before_anything_is_computed(tmp_path: Path):
    source = put(tmp_path, "s", ["a b", "", "c"])
    target = put(tmp_path, "t", ["a b", "b", "c"])
    with pytest.raises(DemoticError, match="s:2: empty line"):
        align(source, target, tmp_path / "a", AlignOptions())
    pytest.importorskip("thot")
    with pytest.raises(DemoticError, match="t:1: a sentence may have at most 1024 words"):
        align(
            put(tmp_path, "s", ["a"]),
            put(tmp_path, "t", ["b " * 2000]),
            tmp_path / "a",
            AlignOptions(model="fast_align"),
        )
    assert not (tmp_path / "a").exists()


def test_format_links():
    assert format_links([(1, 2), (0, 0), (1, 0)]) == "0-0 1-0 1-2"


def test_aer_of_the_worst_pairs(tmp_path: Path):
    gold = put(tmp_path, "gold", ["0-0 1-1", "0-0", "0-0 1?1"])
    guess = put(tmp_path, "guess", ["0-0 1-1", "0-1", "0-0 1-0"])
    worst = worst_pairs(gold, guess, 5)
    assert [pair.line for pair in worst] == [2, 3]
    assert worst[0].aer == 1 and worst[1].aer == pytest.approx(1 - 2 / 3)
    assert [pair.line for pair in worst_pairs(gold, guess, 1)] == [2]
    assert not worst_pairs(gold, gold, 5)
