"""Native templates against their definitions; names that parse back."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.features import (
    NATIVE_TEMPLATES,
    Edge,
    FeatureIndex,
    FeatureName,
    Nonterminal,
    TemplateSet,
    describe,
    parse_name,
)
from demotic.features.names import Symbol, escape_word, unescape
from demotic.grammar import index_files, read_grammar
from features.slow_templates import FIGURE_1, NASTY, grammar_of, grammars, nonterminal, slow_features

LOCAL = 1 << 31


def left_sides(lines: list[str]) -> dict[tuple[str, str], set[str]]:
    """Left-hand sides of the rules with the same source and target side."""
    found: dict[tuple[str, str], set[str]] = {}
    for line in lines:
        left, source, target, *_ = line.split(" ||| ")
        found.setdefault((source, target.strip(" ")), set()).add(left[1:-1])
    return found


@given(grammars, st.sampled_from([(1, 1), (2, 2), (3, 3), (1, 4)]))
@settings(max_examples=60, deadline=None)
def test_native_templates_equal_their_definitions(lines: list[str], orders: tuple[int, int]):
    grammar = grammar_of("\n".join(lines))
    lefts = left_sides(lines)
    for name in NATIVE_TEMPLATES:
        has_orders = "gram" in name or "gap" in name
        text = f"{name}:n={orders[0]}..{orders[1]}" if has_orders else name
        vectors = list(TemplateSet([text]).vectors(grammar))
        assert len(vectors) == len(grammar)
        for rule, vector in zip(grammar, vectors, strict=True):
            possible = lefts[" ".join(rule.source), " ".join(rule.target)]
            wanted = [slow_features(name, rule, left, range(orders[0], orders[1] + 1)) for left in possible]
            assert vector in wanted


def test_shapes_of_figure_1():
    first, second, third = (list(vector) for vector in TemplateSet(["shape"]).vectors(grammar_of(FIGURE_1)))
    assert first == second == ["shape:N+N+|N+N"]
    assert third == ["shape:N+N|N+N"]


def test_every_template_on_an_example():
    vectors = list(TemplateSet(NATIVE_TEMPLATES).vectors(grammar_of(FIGURE_1)))
    assert vectors[1] == dict.fromkeys(
        [
            "src_ngram:<r>_[X]",
            "src_ngram:[X]_hat",
            "src_ngram:hat_mir",
            "src_ngram:mir_[X]",
            "src_ngram:[X]_versprochen",
            "src_ngram:versprochen_</r>",
            "id:[1]_hat_mir_[2]_versprochen|[1]_promised_me_[2]",
            "tgt_ngram:promised_me",
            "tgt_gap:<r>_[1]",
            "tgt_gap:[1]_promised",
            "tgt_gap:me_[2]",
            "tgt_gap:[2]_</r>",
            "shape:N+N+|N+N",
            "length:3|2",
            "count_bin:3-4",
            "word_pair:mir|me",
            "word_pair:versprochen|promised",
            "word_pair:hat|",
            "fertility:hat|0",
            "fertility:mir|1",
            "fertility:versprochen|1",
            "unaligned:1|0",
        ],
        1.0,
    )


def test_values_count_repeated_features():
    (vector,) = TemplateSet(["src_ngram:n=1"]).vectors(grammar_of("[X] ||| ja ja nein ||| yes ||| ||| 0-0"))
    assert vector == {"src_ngram:ja": 2.0, "src_ngram:nein": 1.0}


def test_ngram_is_short_for_source_bigrams():
    grammar = grammar_of(FIGURE_1)
    assert list(TemplateSet(["ngram"]).vectors(grammar)) == list(
        TemplateSet(["src_ngram:n=2"]).vectors(grammar)
    )


def test_counts_come_from_the_index(tmp_path: Path):
    for name, line in (("s", "das haus\n"), ("t", "the house\n"), ("a", "0-0 1-1\n")):
        (tmp_path / name).write_text(line * 3)
    index = index_files(tmp_path / "s", tmp_path / "t", tmp_path / "a", tmp_path / "index.bin")
    vectors = list(TemplateSet(["count_bin"]).vectors(index.grammar("das haus")))
    assert vectors and all(vector == {"count_bin:3-4": 1.0} for vector in vectors)


# --- names ------------------------------------------------------------------------------------------------------------


@given(st.text(max_size=8) | st.text(NASTY, max_size=8))
def test_words_survive_in_names(word: str):
    word = word.encode("utf-8", "replace").decode()
    escaped = escape_word(word)
    assert unescape(escaped) == word
    assert not re.search(r"[\s=|_\[<]", escaped) and escaped


@given(st.binary(max_size=6))
def test_words_that_are_not_utf8_survive_too(word: bytes):
    text = word.decode("utf-8", "surrogateescape")
    escape_word(text).encode()  # a name is valid UTF-8
    assert unescape(escape_word(text)) == text


def symbols(side: tuple[str, ...]) -> tuple[Symbol, ...]:
    """The symbols of a rule as names give them back."""
    found = [(symbol, nonterminal(symbol)) for symbol in side]
    return tuple(Nonterminal(int(nt[1]), nt[0]) if nt else symbol for symbol, nt in found)


@given(grammars)
@settings(deadline=None)
def test_names_parse_back_into_the_rule(lines: list[str]):
    grammar = grammar_of("\n".join(lines))
    for rule, vector in zip(grammar, TemplateSet(["id"]).vectors(grammar), strict=True):
        (name,) = vector
        parsed = parse_name(name)
        assert (parsed.source, parsed.target) == (symbols(rule.source), symbols(rule.target))
        describe(name).encode()
    for vector in TemplateSet(NATIVE_TEMPLATES).vectors(grammar):
        for name in vector:
            assert str(parse_name(name)) == name
            assert not re.search(r"[\s=]|\|\|\|", name)


def test_different_rules_have_different_names():
    lines = ["a_b", "a _ b", "a b", "a %5F b", "<r> b", "[X] b", "X1 b", "N b", "a|b"]
    grammar = grammar_of("\n".join(f"[X] ||| {line} ||| t ||| ||| 0-0" for line in lines))
    assert len({name for vector in TemplateSet(["id"]).vectors(grammar) for name in vector}) == len(lines)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("id:[1]_,_dass_[2]|[1]_that_[2]", "X1 , dass X2 -> X1 that X2"),
        ("id:[NP]|der_[NN,1]|the_[NN,1]", "NP: der NN1 -> the NN1"),
        ("src_ngram:<r>_a%5Fb", "source n-gram: (begin) a_b"),
        ("tgt_gap:of_[2]", "target n-gram: of X2"),
        ("tgt_ngram:of_</r>", "target n-gram: of (end)"),
        ("shape:N+N+|N+N", "shape: X ... X ... -> X ... X"),
        ("length:3|2", "words: 3 -> 2"),
        ("count_bin:1", "seen 1 time"),
        ("count_bin:3-4", "seen 3-4 times"),
        ("word_pair:mir|me", "mir ~ me"),
        ("word_pair:|of", "(nothing) ~ of"),
        ("fertility:hat|0", "hat has 0 target words"),
        ("fertility:hat|1", "hat has 1 target word"),
        ("unaligned:1|0", "unaligned words: 1 -> 0"),
        ("class_id:50:[1]_<12>|[1]_<7>", "X1 <12> -> X1 <7> (50 classes)"),
        ("class_word_pair:50:<unk>|", "<unk> ~ (nothing) (50 classes)"),
        ("word_class_pair:20:%3C1>|<1>", "<1> ~ <1> (20 classes)"),
        ("class_src_ngram:50:<r>_<3>", "source n-gram: (begin) <3> (50 classes)"),
        ("class_id:x:<1>|<2>", "class_id:x:<1>|<2>"),
        ("mine:a%20b", "mine: a b"),
        ("LanguageModel", "LanguageModel"),
        ("id:not-a-rule", "id:not-a-rule"),
        ("src_ngram:<x>", "src_ngram:<x>"),
        ("id:uhr|o_&apos;clock", "uhr -> o 'clock"),
    ],
)
def test_descriptions(name: str, text: str):
    assert describe(name) == text


def test_names_in_parts():
    assert parse_name("src_ngram:<r>_[NP]_zu_</r>") == FeatureName(
        "src_ngram", source=(Edge.BEGIN, Nonterminal(None, "NP"), "zu", Edge.END)
    )
    for name in ["id:a", "id:a|b|c|d", "word_pair:a", "tgt_gap:[3]", "id:[X]|a|"]:
        if name == "id:[X]|a|":
            assert parse_name(name).target == ()
        else:
            with pytest.raises(DemoticError, match="is not a feature of the template"):
                parse_name(name)


# --- arrays -----------------------------------------------------------------------------------------------------------


def test_features_of_the_index_have_its_ids():
    grammar, templates, index = grammar_of(FIGURE_1), TemplateSet(["id", "ngram", "shape"]), FeatureIndex()
    index.intern("Glue")
    before = templates.rule_features(grammar, index)
    assert (before.features >= LOCAL).all() and before.locals == len(set(before.features.tolist()))
    ids = [before.intern_local(i, index) for i in range(before.locals)]
    assert ids == list(range(1, before.locals + 1))
    after = templates.rule_features(grammar, index)
    assert after.locals == 0
    np.testing.assert_array_equal(after.features, (before.features & (LOCAL - 1)) + 1)
    np.testing.assert_array_equal(after.values, before.values)
    np.testing.assert_array_equal(after.row_begins, before.row_begins)
    assert [before.local_name(i) for i in range(before.locals)] == [index.name(id_) for id_ in ids]


def test_threads_see_the_same_features(golden: Path):
    grammar = read_grammar(golden / "exact" / "grammar.0.gz")
    templates, index = TemplateSet(NATIVE_TEMPLATES), FeatureIndex()
    for name in next(iter(templates.vectors(grammar))):
        index.intern(name)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: templates.rule_features(grammar, index), range(16)))
    for other in found[1:]:
        np.testing.assert_array_equal(other.features, found[0].features)
        np.testing.assert_array_equal(other.values, found[0].values)


def test_every_name_of_a_real_grammar_is_found_by_its_fingerprint(golden: Path):
    grammar = read_grammar(golden / "exact" / "grammar.12.gz")
    vectors = TemplateSet(NATIVE_TEMPLATES).vectors(grammar)
    for rule, vector in zip(grammar, vectors, strict=True):
        wanted: dict[str, float] = {}
        for name in NATIVE_TEMPLATES:
            wanted |= slow_features(name, rule, "X")
        assert vector == wanted


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["shap"], "unknown template 'shap'\n  hint: did you mean 'shape'"),
        (["id", "id"], "is given twice"),
        (["ngram", "src_ngram:n=3"], "is given twice"),
        (["id:n=2"], "has no options"),
        (["ngram:n=0"], "n-gram orders"),
        (["ngram:n=3..2"], "n-gram orders"),
        (["ngram:n=2..x"], "n-gram orders"),
        (["tgt_gap:2"], "n-gram orders"),
        ([""], "unknown template ''"),
    ],
)
def test_templates_that_do_not_exist(names: list[str], message: str):
    with pytest.raises(DemoticError, match=re.escape(message)):
        TemplateSet(names)


def test_bins_need_counts():
    grammar = grammar_of("[X] ||| a ||| b ||| ||| 0-0")
    with pytest.raises(DemoticError, match="no rule counts"):
        TemplateSet(["count_bin"]).rule_features(grammar, FeatureIndex())


def test_an_empty_grammar_has_no_features():
    found = TemplateSet(NATIVE_TEMPLATES).rule_features(grammar_of(""), FeatureIndex())
    assert len(found) == 0 and found.locals == 0 and found.row_begins.tolist() == [0]
    with pytest.raises(DemoticError, match="has the number 0"):
        found.local_name(0)
