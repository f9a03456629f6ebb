"""Templates over word classes against their definitions, in kept forests, and what is refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from demotic._core import WordClasses as NativeClasses
from demotic.base import DemoticError
from demotic.corpus import WordClasses
from demotic.features import CLASS_TEMPLATES, TemplateSet, class_sizes, describe, parse_name, template
from demotic.features.names import WordClass
from features.slow_templates import FIGURE_1, grammar_of, grammars, slow_features

HAS_ORDERS = ("class_src_ngram", "class_tgt_ngram", "class_tgt_gap")


def classes_of(*groups: str) -> WordClasses:
    """Classes from their words."""
    lines = [f"{word}\t{number}\n" for number, words in enumerate(groups, start=1) for word in words.split()]
    return WordClasses(NativeClasses.from_text("".join(lines).encode(), "test", 50))


# Words that the random rules have too, and <r>, which must not be taken for an edge or a class.
SOURCE = classes_of("a ü hat <r>", "b 1 [X] mir", "versprochen %")
TARGET = classes_of("promised N", "me a , <1>")
COARSE = classes_of("promised me", "a b"), classes_of("promised me", "a b")
CLASSES = {50: (SOURCE, TARGET), 7: COARSE}


@given(grammars)
@settings(max_examples=60, deadline=None)
def test_class_templates_equal_their_definitions(lines: list[str]):
    grammar = grammar_of("\n".join(lines))
    for name in CLASS_TEMPLATES:
        for size, pair in CLASSES.items():
            orders = range(1, 4) if name in HAS_ORDERS else (2,)
            text = f"{name}:{size}" + (":n=1..3" if name in HAS_ORDERS else "")
            vectors = TemplateSet([text], classes=CLASSES).vectors(grammar)
            for rule, vector in zip(grammar, vectors, strict=True):
                wanted = [slow_features(f"{name}:{size}", rule, left, orders, pair) for left in ("X", "S")]
                assert vector in wanted
                for feature in vector:
                    assert str(parse_name(feature)) == feature and parse_name(feature).classes == size
                    assert not re.search(r"[\s=]|\|\|\|", feature)


def test_every_class_template_on_an_example():
    names = [f"{name}:50" for name in CLASS_TEMPLATES]
    _, vector, _ = TemplateSet(names, classes=CLASSES).vectors(grammar_of(FIGURE_1))
    assert set(vector) == {
        "class_id:50:[1]_<1>_<2>_[2]_<3>|[1]_<1>_<2>_[2]",
        "class_src_ngram:50:<r>_[X]",
        "class_src_ngram:50:[X]_<1>",
        "class_src_ngram:50:<1>_<2>",
        "class_src_ngram:50:<2>_[X]",
        "class_src_ngram:50:[X]_<3>",
        "class_src_ngram:50:<3>_</r>",
        "class_tgt_ngram:50:<1>_<2>",
        "class_tgt_gap:50:<r>_[1]",
        "class_tgt_gap:50:[1]_<1>",
        "class_tgt_gap:50:<2>_[2]",
        "class_tgt_gap:50:[2]_</r>",
        "class_word_pair:50:<2>|<2>",
        "class_word_pair:50:<3>|<1>",
        "class_word_pair:50:<1>|",
        "word_class_pair:50:mir|<2>",
        "word_class_pair:50:<2>|me",
        "word_class_pair:50:versprochen|<1>",
        "word_class_pair:50:<3>|promised",
        "class_fertility:50:<1>|0",
        "class_fertility:50:<2>|1",
        "class_fertility:50:<3>|1",
    }


def test_two_sizes_are_two_templates():
    grammar = grammar_of(FIGURE_1)
    both = TemplateSet(["class_id:50", "id", "class_id:7"], classes=CLASSES).vectors(grammar)
    assert [sorted(name.partition("[")[0] for name in vector) for vector in both] == [
        ["class_id:50:", "class_id:7:", "id:"]
    ] * 3


def test_rules_with_words_of_the_same_classes_share_features():
    first, _, third = TemplateSet(["class_word_pair:50"], classes=CLASSES).vectors(grammar_of(FIGURE_1))
    assert "class_word_pair:50:<3>|<1>" in first and "class_word_pair:50:<unk>|<1>" in third


def test_classes_in_names():
    assert parse_name("class_src_ngram:50:<r>_<unk>").source[1] == WordClass("unk")  # type: ignore[index]
    assert parse_name("class_fertility:50:<3>|2").number == 2
    for name in ["class_id:50:a", "class_id:<1>|<2>", "class_src_ngram:50:<0>", "class_fertility:50:<3>|x"]:
        with pytest.raises(DemoticError, match="is not a feature of the template"):
            parse_name(name)


def test_classes_are_shown_by_their_words():
    assert describe("class_word_pair:50:<1>|<2>", CLASSES) == "<1 a ü hat> ~ <2 me a ,> (50 classes)"
    assert describe("class_word_pair:9:<1>|<unk>", CLASSES) == "<1> ~ <unk> (9 classes)"
    assert describe("class_word_pair:50:<99>|", CLASSES) == "<99> ~ (nothing) (50 classes)"


def test_what_templates_need():
    assert class_sizes(["id", "class_id:200", "class_src_ngram:50:n=3", "word_class_pair:50"]) == (50, 200)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["class_id"], "is not a template with its number of word classes"),
        (["class_id:0"], "is not a template with its number of word classes"),
        (["class_id:1"], "is not a template with its number of word classes"),
        (["class_id:-5"], "is not a template with its number of word classes"),
        (["class_id:99999999999"], "is not a template with its number of word classes"),
        (["class_id:50x"], "is not a template with its number of word classes"),
        (["class_id:50:n=2"], "has no options"),
        (["class_src_ngram:50:n=0"], "n-gram orders"),
        (["class_id:50", "class_id:50"], "is given twice"),
        (["class_shape:50"], "unknown template 'class_shape'"),
        (["class_id:60"], "needs 60 word classes, which are not there"),
    ],
)
def test_class_templates_that_do_not_exist(names: list[str], message: str):
    with pytest.raises(DemoticError, match=re.escape(message)):
        TemplateSet(names, classes=CLASSES)


def test_nobody_takes_the_name_of_a_class_template():
    with pytest.raises(DemoticError, match="built-in"):
        template("class_id")
