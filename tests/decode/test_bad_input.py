"""Sentences and grammars that make trouble."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from demotic.base import DemoticError
from demotic.decode import DecodeOptions, Decoder
from demotic.features import TemplateSet, Weights
from demotic.grammar import Grammar, parse_grammar, read_grammar
from demotic.lm import LanguageModel

ARPA = "\\data\\\nngram 1=4\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\n-1\t</s>\n-0.5\tx\n\n\\end\\\n"
WEIGHTS = {"LanguageModel": 1.0, "PassThrough": -1.0, "A": 1.0}


def grammar(*lines: str) -> Grammar:
    return parse_grammar("".join(line + "\n" for line in lines))


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    path = tmp_path_factory.mktemp("lm") / "toy.arpa"
    path.write_text(ARPA)
    return LanguageModel.load(path)


def decoder(lm: LanguageModel, dense: str = "cdec12", **options: Any) -> Decoder:
    return Decoder(lm, Weights.from_dict(WEIGHTS), options=DecodeOptions(**options), dense=dense)


def test_an_empty_sentence_has_the_empty_translation(lm):
    best = decoder(lm).decode("", grammar=grammar()).viterbi()
    assert best.sentence(0) == []
    assert best.scores[0] == pytest.approx(lm.score(""))


def test_a_grammar_without_rules_copies(lm):
    assert decoder(lm).decode("foo bar", grammar=grammar()).viterbi().sentence(0) == ["foo", "bar"]


@pytest.mark.parametrize(
    ("dense", "copy", "copied"),
    [
        ("hiero8", "all", set()),
        ("cdec12", "unknown", set()),
        ("cdec12", "all", {"a b"}),
    ],
)
def test_copying_only_what_no_rule_translates_alone(lm, dense: str, copy: str, copied: set[str]):
    rules = grammar("[X] ||| a ||| x ||| A=-9 |||", "[X] ||| a b ||| x x ||| A=1 |||")
    found = decoder(lm, dense, copy=copy).decode("a b", grammar=rules).kbest(100)
    assert {" ".join(words) for words in found.sentences()} == {"x x", "x b"} | copied


@pytest.mark.parametrize(("size", "fits"), [(255, True), (256, False)])
def test_exhaustive_search_leaves_no_item_out(tmp_path: Path, size: int, fits: bool):
    """Two words with `size` translations each, all with states of their own: size x size items of a cell, 65,535 at most."""
    words = [f"w{i}" for i in range(size)]
    bigrams = [f"-1\t{a} {b}" for word in words for a, b in ((word, "w0"), ("w0", word))][1:]
    arpa = [
        *("\\data\\", f"ngram 1={size + 3}", f"ngram 2={len(bigrams)}"),
        *(
            "",
            "\\1-grams:",
            "-9\t<unk>",
            "-99\t<s>\t-1",
            "-1\t</s>",
            *(f"-2\t{word}\t-0.5" for word in words),
        ),
        *("", "\\2-grams:", *bigrams, "", "\\end\\", ""),
    ]
    (tmp_path / "lm.arpa").write_text("\n".join(arpa))
    rules = grammar(
        *(f"[X] ||| {source} ||| {word} ||| A={i} |||" for source in "ab" for i, word in enumerate(words)),
        "[X] ||| [X,1] [X,2] ||| [X,1] [X,2] ||| A=0 |||",
        "[X] ||| [X,1] c ||| [X,1] ||| A=0 |||",
    )
    # hiero8 copies no word that a rule translates, so these are all.
    search = decoder(LanguageModel.load(tmp_path / "lm.arpa"), "hiero8", pop_limit=0)
    if fits:
        assert search.decode("a b c", grammar=rules).viterbi().sentence(0) == [words[-1]] * 2
        return
    with pytest.raises(DemoticError, match=r"words 1 to 2 have 65536 partial translations.*65535") as error:
        search.decode("a b c", grammar=rules)
    assert "pop limit" in error.value.hint


def test_a_list_of_another_graph_is_refused(lm):
    graphs = [
        decoder(lm).decode(sentence, grammar=grammar()) for sentence in ("foo bar", "bar foo", "a b c d e")
    ]
    for graph in graphs:
        for other in graphs:
            if graph is other:
                assert graph.derivation(other.viterbi()).words() == graph.sentence
            else:
                with pytest.raises(DemoticError, match="to another hypergraph"):
                    graph.derivation(other.viterbi())


def test_a_sentence_without_derivation_is_an_error(lm):
    """Every word has a rule, but none for itself alone that fits."""
    rules = grammar("[Y] ||| a ||| x ||| A=1 |||")
    with pytest.raises(DemoticError, match="no derivation covers the sentence 'a'"):
        decoder(lm, "hiero8").decode("a", grammar=rules)


def test_a_sentence_without_derivation_is_named_among_many(lm):
    rules = grammar("[Y] ||| a ||| x ||| A=1 |||")
    jobs = [("b", rules), ("", rules), ("a", rules)]
    with pytest.raises(DemoticError, match="sentence 3: no derivation covers the sentence 'a'"):
        list(decoder(lm, "hiero8").kbest_with_grammars(jobs, 1, threads=2))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300])
@pytest.mark.parametrize("name", ["LanguageModel", "A", "id:a|x"])
def test_weights_that_are_not_finite_are_refused(lm, name: str, value: float):
    """However they came into the array: a learner may have put them there."""
    weights = Weights.from_dict({"LanguageModel": 1.0, "A": 1.0, "id:a|x": 1.0})
    rules = grammar("[X] ||| a ||| x ||| A=1 |||")
    subject = Decoder(lm, weights, templates=TemplateSet(["id"]))
    graph = subject.decode("a", grammar=rules)
    weights.values[weights.index.intern(name)] = value
    with pytest.raises(DemoticError, match=r"too large|not a finite number|not a number"):
        subject.decode("a", grammar=rules)
    with pytest.raises(DemoticError, match=r"too large|not a finite number|not a number"):
        graph.rescore(weights)


def test_a_nonterminal_without_rules_is_reported_and_harmless(lm):
    rules = grammar("[X] ||| [NP,1] b ||| [NP,1] x ||| A=9 |||", "[X] ||| b ||| x ||| A=1 |||")
    assert rules.native.labels_without_rules == ["NP"]
    assert decoder(lm).decode("a b", grammar=rules).viterbi().sentence(0) == ["a", "x"]


def test_labels_are_respected(lm):
    rules = grammar(
        "[NP] ||| a ||| x ||| A=1 |||",
        "[X] ||| [NP,1] b ||| [NP,1] x ||| A=1 |||",
        "[VP] ||| c ||| x ||| A=1 |||",
        "[X] ||| [VP,1] b ||| [VP,1] y ||| A=1 |||",
    )
    found = decoder(lm).decode("a b", grammar=rules).kbest(100)
    assert {" ".join(s) for s in found.sentences()} == {"x x", "a b"}


def test_rules_for_the_goal_and_chains_of_labels(lm):
    rules = grammar(
        "[A] ||| a ||| x ||| A=1 |||",
        "[B] ||| [A,1] ||| [A,1] ||| A=1 |||",
        "[S] ||| [B,1] ||| [B,1] x ||| A=5 |||",
    )
    best = decoder(lm).decode("a", grammar=rules).viterbi()
    assert best.sentence(0) == ["x", "x"]


@pytest.mark.parametrize(
    "lines",
    [
        ["[X] ||| [X,1] ||| x [X,1] ||| A=1 |||"],
        ["[A] ||| [B,1] ||| [B,1] ||| A=1 |||", "[B] ||| [A,1] ||| [A,1] ||| A=1 |||"],
    ],
)
def test_cycles_of_unary_rules_are_refused(lm, lines):
    with pytest.raises(DemoticError, match=r"rules rewrite \[\w+\] as itself"):
        decoder(lm).decode("a", grammar=grammar(*lines))


def test_500_words(lm):
    """Spans are bounded by max_span, so time grows with the length, not with its cube."""
    sentence = ["a"] * 500
    rules = grammar("[X] ||| a ||| x ||| A=1 |||", "[X] ||| [X,1] a [X,2] ||| [X,2] x [X,1] ||| A=0.1 |||")
    best = decoder(lm, pop_limit=10).decode(sentence, grammar=rules).viterbi()
    assert len(best.sentence(0)) == 500


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[X] ||| a ||| x ||| A=nan |||", "'A=nan' is not a feature with a finite value"),
        ("[X] ||| a ||| x ||| A |||", "'A' is not a feature with a finite value"),
        ("X ||| a ||| x ||| A=1 |||", "'X' is not a nonterminal"),
        ("[X] ||| [X,2] a ||| [X,2] ||| A=1 |||", "the nonterminals of the source side"),
        ("[X] ||| [X,1] a ||| x ||| A=1 |||", "source and target side have different nonterminals"),
        ("[X] |||  ||| x ||| A=1 |||", "the source side must have"),
        ("[X] ||| a ||| x ||| A=1 ||| 0-7", "alignment link 0-7 is outside the rule"),
    ],
)
def test_bad_grammar_lines_have_a_place(tmp_path: Path, line: str, message: str):
    path = tmp_path / "g"
    path.write_text(f"[X] ||| b ||| x ||| A=1 ||| 0-0\n{line}\n")
    with pytest.raises(DemoticError) as caught:
        read_grammar(path)
    assert caught.value.message.startswith(message)
    assert (caught.value.file, caught.value.line) == (str(path), 2)


def test_unknown_features_weigh_nothing(lm):
    rules = grammar("[X] ||| a ||| x ||| Strange=1000 |||")
    found = decoder(lm).decode("a", grammar=rules).kbest(1)
    assert abs(found.scores[0]) < 100


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan, math.inf])
def test_temperatures(lm, temperature: float):
    graph = decoder(lm).decode("a", grammar=grammar())
    with pytest.raises(DemoticError, match="temperature"):
        graph.sample(3, seed=1, temperature=temperature)
