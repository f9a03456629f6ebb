"""cdec's grammar files and segment lines: read, written, refused."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from demotic.grammar import Grammar, Segment, parse_grammar, read_grammar, read_segments, write_grammar
from grammar.corpora import by_sides, corpora, index_of
from grammar.slow_extractor import Pair


@given(corpora(), st.lists(st.sampled_from("abcde"), max_size=6), st.sampled_from(["g", "g.gz"]))
@settings(max_examples=30, deadline=None)
def test_what_is_written_is_read(corpus: list[Pair], sentence: list[str], name: str):
    with tempfile.TemporaryDirectory() as folder:
        grammar = index_of(corpus, Path(folder)).grammar(sentence)
        write_grammar(grammar, Path(folder) / name)
        again = read_grammar(Path(folder) / name)
        assert by_sides(again) == by_sides(grammar)
        assert again.native.to_text() == grammar.native.to_text()


def test_a_line_looks_like_cdec(tmp_path: Path):
    index = index_of([(["das", "haus"], ["the", "house"], {(0, 0), (1, 1)})], tmp_path)
    write_grammar(index.grammar("das haus"), tmp_path / "g.gz")
    lines = gzip.decompress((tmp_path / "g.gz").read_bytes()).decode().splitlines()
    assert (
        "[X] ||| das [X,1] ||| the [X,1] ||| EgivenFCoherent=0 SampleCountF=0.30103 CountEF=0.30103 "
        "MaxLexFgivenE=0 MaxLexEgivenF=0 IsSingletonF=1 IsSingletonFE=1 ||| 0-0"
    ) in lines


def test_other_people_s_grammars(tmp_path: Path):
    (tmp_path / "g").write_text(
        "[X] ||| ein [X,1] ||| a [1] ||| P=0.5 Q=-1e-3\r\n"
        "\n"
        "[X]|||haus|||house|||R=2||| 0-0\n"
        "[X] ||| ein [X,1] ||| [X,1] ||| \n"
        "[X] ||| aus ||| ||| P=1 ||| \n",
        "utf-8",
        newline="",
    )
    rules = list(read_grammar(tmp_path / "g"))
    assert [(" ".join(rule.source), " ".join(rule.target)) for rule in rules] == [
        ("ein [X,1]", "a [X,1]"),
        ("ein [X,1]", "[X,1]"),
        ("haus", "house"),
        ("aus", ""),
    ]
    assert rules[0].features == pytest.approx({"P": 0.5, "Q": -0.001, "R": 0})
    assert rules[2].alignment == ((0, 0),)


def test_rules_of_a_side_come_together_with_their_features():
    rules = parse_grammar(
        "[X] ||| a ||| x ||| P=1 ||| 0-0\n[X] ||| b ||| y ||| Q=1e-60\n"
        "[Y] ||| a ||| z ||| P=2 R=7\n[X] ||| a ||| z w ||| R=3 P=4 ||| 0-1\n"
    )
    assert [(rule.source, rule.target, rule.alignment) for rule in rules] == [
        (("a",), ("x",), ((0, 0),)),
        (("a",), ("z", "w"), ((0, 1),)),
        (("b",), ("y",), ()),
        (("a",), ("z",), ()),
    ]
    assert rules.features.tolist() == [[1, 0, 0], [4, 0, 3], [0, 0, 0], [2, 0, 7]]


_SIDES = [("a", "x"), ("a b", "x y"), ("b", ""), ("a [X,1]", "[X,1] x"), ("a [X,1]", "[X,1]")]
_FEATURES = ["P=1 Q=2", "P=1", "P=12 Q=2", "Q=2 P=1", "P=1 Q=2 R=3", ""]


@given(st.lists(st.tuples(st.sampled_from(_SIDES), st.sampled_from(_FEATURES)), max_size=12), st.data())
@settings(max_examples=60, deadline=None)
def test_blocks_of_lines(rules: list[tuple[tuple[str, str], str]], data: st.DataObject):
    """A line is compared with the line before; neither this nor where a block ends may show."""
    reader = _core.CdecReader("in parts")
    left = [f"[X] ||| {source} ||| {target} ||| {features} ||| 0-0\n" for (source, target), features in rules]
    left = [line.replace("||| 0-0", "") if "b ||| " in line else line for line in left]
    while left:
        size = data.draw(st.integers(1, len(left)))
        reader.add("".join(left[:size]).encode())
        left = left[size:]
    found = [
        (" ".join(rule.source), " ".join(rule.target), {n: v for n, v in rule.features.items() if v})
        for rule in Grammar(reader.finish())
    ]
    order = list(dict.fromkeys(source for (source, _), _ in rules))
    expected = [
        (source, target, {name: float(value) for name, value in (f.split("=") for f in features.split())})
        for (source, target), features in sorted(rules, key=lambda rule: order.index(rule[0][0]))
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a ||| b", "is not a nonterminal"),
        ("[X] ||| ||| b ||| P=1", "1 to 255 symbols"),
        ("[X] ||| a [X,2] ||| b [X,2] ||| P=1", "in this order"),
        ("[X] ||| a [X,1] [X,2] [X,1] ||| b ||| P=1", "in this order"),
        ("[X] ||| a [X,1] ||| b ||| P=1", "different nonterminals"),
        ("[X] ||| a ||| b [X,1] ||| P=1", "different nonterminals"),
        ("[X] ||| a [X,1] ||| [X,1] [X,1] ||| P=1", "twice"),
        ("[X] ||| a ||| b ||| P", "not a feature"),
        ("[X] ||| a ||| b ||| P=", "not a feature"),
        ("[X] ||| a ||| b ||| P=x", "not a feature"),
        ("[X] ||| a ||| b ||| P= 2", "not a feature"),
        ("[X] ||| a ||| b ||| P=||| 0-0", "not a feature"),
        ("[X] ||| a ||| b ||| P=nan", "not a feature"),
        ("[X] ||| a ||| b ||| P=1e39", "not a feature"),
        ("[X] ||| a [X,3] ||| b [X,3] ||| P=1", "in this order"),
        ("[X] ||| a ||| b [X,3] ||| P=1", "at most two"),
        ("[X] ||| a ||| b ||| P=1 ||| 0-1", "outside the rule"),
        ("[X] ||| a ||| b ||| P=1 ||| 0-", "not an alignment link"),
        ("[X] ||| a ||| b ||| P=1 ||| x", "not an alignment link"),
    ],
)
def test_bad_rules_are_named_with_their_line(tmp_path: Path, line: str, message: str):
    (tmp_path / "g").write_text("[X] ||| a ||| b ||| P=1\n" + line + "\n")
    with pytest.raises(DemoticError, match=message) as error:
        read_grammar(tmp_path / "g")
    assert error.value.line == 2


@given(st.text(alphabet="[]X,12|ab =-0.\n", max_size=80))
@settings(max_examples=60, deadline=None)
def test_no_text_is_fatal(text: str):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "g").write_text("[X] ||| " + text)
        try:
            len(list(read_grammar(Path(folder) / "g")))
        except DemoticError as error:
            assert error.line


def test_segments(tmp_path: Path):
    (tmp_path / "in.sgm").write_text(
        '<seg grammar="g/grammar.0.gz" id="0"> ein satz </seg> ||| a sentence\n<seg id="1" grammar="/g"> </seg>\n'
    )
    assert list(read_segments(tmp_path / "in.sgm")) == [
        Segment("ein satz", 0, tmp_path / "g/grammar.0.gz", " ||| a sentence"),
        Segment("", 1, Path("/g")),
    ]
    assert (
        str(Segment("ein satz", 3, Path("/g"), " ||| r")) == '<seg grammar="/g" id="3"> ein satz </seg> ||| r'
    )
    for bad in (
        "ein satz",
        '<seg id="0"> a </seg>',
        '<seg grammar="g" id="x"> a </seg>',
        '<seg grammar="g" id="0"> a',
    ):
        (tmp_path / "bad.sgm").write_text(bad + "\n")
        with pytest.raises(DemoticError, match="not a <seg> line"):
            list(read_segments(tmp_path / "bad.sgm"))
