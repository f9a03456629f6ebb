"""Rules from Python lists, and one grammar for many sentences, of which each gets what it needs."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.base.errors import DemoticWarning
from demotic.cli.main import run
from demotic.decode import DecodeOptions, Decoder, Hypergraph, KBest, warn_of_unknown_weights
from demotic.features import TemplateSet, Weights
from demotic.grammar import Grammar, Rule, parse_grammar

from .toys import SOURCE, WEIGHTS, grammar_of, plain_rules

LABELLED = (
    "[NP] ||| b ||| z ||| A=1\n[X] ||| [NP,1] ||| [NP,1] ||| B=1\n[S] ||| [X,1] ! ||| x [X,1] ||| A=1\n"
)


def contents(graph: Hypergraph) -> list[tuple[object, ...]]:
    """The 30 best derivations, features by name: ids depend on which rule came first."""

    def features(kbest: KBest, i: int) -> dict[str, float]:
        ids, values = kbest.row(i)
        return {
            graph.index.name(id_): value for id_, value in zip(ids.tolist(), values.tolist(), strict=True)
        }

    kbest = graph.kbest(30)
    return [(kbest.sentence(i), kbest.scores[i], features(kbest, i)) for i in range(len(kbest))]


# ------------------------------------------------------------------------------------------------ Python lists


def test_a_sentence_with_rules_from_a_list(lm):
    """X -> X1 b / z X1, X -> a / x: `a b` is `z x`, or is glued together from copies."""
    rules = [
        Rule(("[X,1]", "b"), ("z", "[X,1]"), features={"A": -3.0}),
        Rule(("a",), ("x",), ((0, 0),), {"A": -2.0}),
    ]
    graph = Decoder(lm, Weights.from_dict(WEIGHTS), Grammar.from_rules(rules)).decode("a b")
    found = {" ".join(words) for words in graph.kbest(100).sentences()}
    assert found == {"z x", "z a", "x b", "a b"}
    assert graph.viterbi().sentence(0) == ["z", "x"]
    features = graph.viterbi()
    values = dict(
        zip((graph.index.name(i) for i in features.row(0)[0].tolist()), features.row(0)[1], strict=True)
    )
    assert values["A"] == -5.0


@given(st.lists(plain_rules(), max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_grammar_made_from_its_own_rules_is_the_same(rules):
    grammar = grammar_of(rules)
    again = Grammar.from_rules(grammar)
    assert list(again) == list(grammar)
    assert again.native.to_text() == grammar.native.to_text()


def test_labels_and_values_survive():
    rules = [
        Rule(("[NP,1]", "haus"), ("[NP,1]", "house"), ((1, 1),), {"P": 0.1, "Q": -1e-30}, "S"),
        Rule(("ä",), (), (), {"P": 1.0, "Q": 0.0}, "NP"),
    ]
    back = list(Grammar.from_rules(rules))
    assert [(r.source, r.target, r.alignment, r.label) for r in back] == [
        (r.source, r.target, r.alignment, r.label) for r in rules
    ]
    assert [r.features for r in back] == [pytest.approx(r.features, rel=1e-6) for r in rules]


@pytest.mark.parametrize(
    "bad",
    [
        Rule(("a b",), ("x",)),
        Rule(("a",), ("x|||y",)),
        Rule(("a",), ("",)),
        Rule(("a",), ("x\n",)),
        Rule((), ("x",)),
        Rule(("a",), ("x",), features={"A": float("nan")}),
        Rule(("a",), ("x",), features={"": 1.0}),
        Rule(("a", "[X,1]"), ("x",)),
        Rule(("a",), ("x",), ((0, 1),)),
        Rule(("a",), ("x",), label="N P"),
    ],
)
def test_rules_that_no_grammar_can_have(bad: Rule):
    with pytest.raises(DemoticError) as caught:
        Grammar.from_rules([Rule(("a",), ("x",)), bad])
    assert caught.value.line == 2


# ------------------------------------------------------------------------------- one grammar, many sentences


@given(
    st.lists(plain_rules(), max_size=8),
    st.lists(st.sampled_from(SOURCE + "q"), max_size=5),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_the_filter_keeps_what_can_apply(rules, sentence, labelled):
    grammar = parse_grammar("".join(rule.line() for rule in rules) + (LABELLED if labelled else ""))
    expected = [r for r in grammar if all(s in sentence or s.startswith("[") for s in r.source)]
    assert list(grammar.matching(sentence)) == expected


@given(
    st.lists(plain_rules(), min_size=1, max_size=6),
    st.lists(st.sampled_from(SOURCE + "q"), max_size=4),
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_decoding_with_what_can_apply_equals_decoding_with_everything(lm, rules, sentence, labelled):
    grammar = parse_grammar("".join(rule.line() for rule in rules) + (LABELLED if labelled else ""))
    templates, options = TemplateSet(["id", "shape"]), DecodeOptions(pop_limit=7)
    whole = Decoder(lm, Weights.from_dict(WEIGHTS), None, templates, options).decode(
        sentence, grammar=grammar
    )
    part = Decoder(lm, Weights.from_dict(WEIGHTS), grammar, templates, options).decode(sentence)
    assert contents(whole) == contents(part)


@pytest.fixture
def files(tmp_path: Path, lm) -> Path:
    """What `demotic decode` needs: a grammar with many rules for other texts among those for this one."""
    lines = ["[X] ||| a ||| x ||| A=-1 ||| 0-0", "[X] ||| [X,1] b ||| z [X,1] ||| B=1 |||"]
    lines += [f"[X] ||| w{i} [X,1] a ||| y{i} [X,1] ||| A=1 ||| 0-0" for i in range(2000)]
    lines += ["[X] ||| b ||| y ||| B=1 ||| 0-0"]
    (tmp_path / "big.gz").write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    (tmp_path / "weights").write_text("".join(f"{name} {value}\n" for name, value in WEIGHTS.items()))
    lm.save(tmp_path / "lm.bin")
    sentences = ["a b", "", "w7 b a", "q", "b b a a b a b"]
    (tmp_path / "plain").write_text("".join(f"{s}\n" for s in sentences))
    (tmp_path / "segments").write_text(
        "".join(f'<seg grammar="big.gz" id="{i}"> {s} </seg>\n' for i, s in enumerate(sentences))
    )
    return tmp_path


def decode(folder: Path, input: str, *extra: str) -> int:
    options = ["--input", input, "--lm", "lm.bin", "--weights", "weights"]
    paths = [str(folder / option) if not option.startswith("--") else option for option in options]
    return run(["decode", *paths, *extra])


def test_one_large_file_gives_what_each_sentence_with_all_of_it_gives(files: Path, capsys):
    kbest = ["--kbest", "20", "--unique", "--features", "id"]
    assert decode(files, "plain", "--grammar", str(files / "big.gz"), "--threads", "2", *kbest) == 0
    filtered = capsys.readouterr().out
    assert decode(files, "segments", "--threads", "1", *kbest) == 0
    assert filtered == capsys.readouterr().out
    assert "2 ||| y7 " in filtered
    assert filtered.count("\n1 ||| ") == 1  # the empty sentence has one translation


def test_the_empty_sentence_is_the_only_empty_line(files: Path, capsys):
    assert decode(files, "plain", "--grammar", str(files / "big.gz")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line == "" for line in lines] == [False, True, False, False, False]


# ---------------------------------------------------------------------------------------------------- bad input


def test_a_bad_field_has_file_and_line(files: Path, capsys):
    (files / "g").write_text("[X] ||| a ||| x ||| A=-1 ||| 0-0\n[X] ||| b ||| x ||| A=1e999 |||\n")
    assert decode(files, "plain", "--grammar", str(files / "g")) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(
        f"demotic: {files}/g:2: 'A=1e999' is not a feature with a finite value\n  hint: expected  [X] |||"
    )
    assert captured.out == ""


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_weights_that_are_not_finite(files: Path, capsys, value: str):
    (files / "weights").write_text(f"A 1\nLanguageModel {value}\n")
    assert decode(files, "plain", "--grammar", str(files / "big.gz")) == 1
    assert capsys.readouterr().err.startswith(f"demotic: {files}/weights:2: ")


def test_unknown_names_in_weights_are_said_once(files: Path, capsys):
    with (files / "weights").open("a") as file:
        file.write("LanguagModel 1\nshap:N|N 1\nid:a|x 1\nShadow 0\n")
    for input, grammar in (("plain", ["--grammar", str(files / "big.gz")]), ("segments", [])):
        assert decode(files, input, *grammar) == 0
        warnings = capsys.readouterr().err
        assert warnings.count("warning") == 1
        assert f"{files}/weights: weights of unknown features: " in warnings
        assert "'LanguagModel' (did you mean 'LanguageModel'?), 'shap:' (did you mean 'shape:'?)" in warnings
        assert "id:" not in warnings.replace("did", "") and "Shadow" not in warnings


def test_many_unknown_names_are_counted(lm):
    weights = Weights.from_dict({f"q{i}": 1.0 for i in range(9)})
    with pytest.warns(DemoticWarning, match="'q4' and 4 more"):
        warn_of_unknown_weights(Decoder(lm, weights), "w")


def test_a_nonterminal_without_rules_is_said(files: Path, capsys):
    (files / "g").write_text("[X] ||| [NP,1] a ||| x [NP,1] ||| A=1\n")
    assert decode(files, "plain", "--grammar", str(files / "g")) == 0
    captured = capsys.readouterr()
    assert f"warning: {files}/g: no rule rewrites [NP], so rules that use it never apply" in captured.err
    assert captured.out.splitlines() == ["a b", "", "w7 b a", "q", "b b a a b a b"]


def test_rules_that_rewrite_a_nonterminal_as_itself(files: Path, capsys):
    (files / "g").write_text("[X] ||| [Y,1] ||| [Y,1] ||| A=1\n[Y] ||| [X,1] ||| [X,1] ||| A=1\n")
    assert decode(files, "plain", "--grammar", str(files / "g")) == 1
    assert "sentence 1: rules rewrite [X] as itself over the same words\n  hint: " in capsys.readouterr().err
