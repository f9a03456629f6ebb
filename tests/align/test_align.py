"""Alignment: scores by hand, symmetrisation against a plain implementation, models on a small corpus."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.align import AlignOptions, align, score_alignment
from demotic.align.pharaoh import format_links, read_links
from demotic.align.symmetrize import symmetrizer
from demotic.base import DemoticError


def put(folder: Path, name: str, lines: list[str]) -> Path:
    (folder / name).write_text("".join(line + "\n" for line in lines), "utf-8")
    return folder / name


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


def grow_diag(forward: set, backward: set, diagonal: bool) -> set:
    """Koehn et al. (2003): from the intersection, add neighbours in the union that cover an unaligned word."""
    steps = [(-1, 0), (0, -1), (1, 0), (0, 1)] + ([(-1, -1), (-1, 1), (1, -1), (1, 1)] if diagonal else [])
    union, links = forward | backward, forward & backward
    while True:
        new = {
            (i + a, j + b)
            for i, j in links
            for a, b in steps
            if (i + a, j + b) in union - links
            and ({i + a} - {x for x, _ in links} or {j + b} - {y for _, y in links})
        }
        if not new:
            return links
        links = links | {min(new)}


@st.composite
def directions(draw):
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    direct = draw(st.lists(st.integers(0, rows), min_size=columns, max_size=columns))
    inverse = draw(st.lists(st.integers(0, columns), min_size=rows, max_size=rows))
    return direct, inverse


@given(directions())
def test_symmetrisation_bounds(pair):
    """intersection <= grow-diag <= grow-diag-final-and <= grow-diag-final <= union."""
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
    order = ["intersection", "grow-diag", "grow-diag-final-and", "grow-diag-final", "union"]
    for smaller, larger in itertools.pairwise(order):
        assert links[smaller] <= links[larger], (smaller, larger)


@given(directions())
def test_grow_diag_ends_where_no_neighbour_can_be_added(pair):
    """The result depends on the order of growth, its fixed point does not: no candidate may be left."""
    direct, inverse = pair
    forward, backward = (
        set(symmetrizer("source-target")(direct, inverse)),
        set(symmetrizer("target-source")(direct, inverse)),
    )
    links = set(symmetrizer("grow-diag")(direct, inverse))
    assert grow_diag(forward & links, backward & links, True) <= links
    rows, columns = {i for i, _ in links}, {j for _, j in links}
    neighbours = {(i + a, j + b) for i, j in links for a in (-1, 0, 1) for b in (-1, 0, 1)}
    assert not [
        p for p in ((forward | backward) - links) & neighbours if p[0] not in rows or p[1] not in columns
    ]


@given(directions())
def test_final_and_adds_only_links_between_two_unaligned_words(pair):
    direct, inverse = pair
    before, after = (set(symmetrizer(h)(direct, inverse)) for h in ("grow-diag", "grow-diag-final-and"))
    rows, columns = {i for i, _ in before}, {j for _, j in before}
    for i, j in sorted(after - before):
        assert i not in rows and j not in columns
    for i, j in set(symmetrizer("union")(direct, inverse)) - after:
        assert i in {x for x, _ in after} or j in {y for _, y in after}


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


@pytest.mark.parametrize("model", ["eflomal", "fast_align", "hmm", "ibm4"])
def test_models_find_a_deterministic_lexicon_and_repeat_themselves(tmp_path: Path, model):
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
