"""cdec's grammar files and segment lines: read, written, refused."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.grammar import Segment, read_grammar, read_segments, write_grammar
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
        ("[X] ||| a ||| b ||| P=nan", "not a feature"),
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
@settings(max_examples=300, deadline=None)
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
        with pytest.raises(DemoticError, match="not a segment line"):
            list(read_segments(tmp_path / "bad.sgm"))
