"""Features in conjunction with the label of a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.features import (
    NATIVE_TEMPLATES,
    FeatureIndex,
    TemplateSet,
    Weights,
    describe,
    known_labels,
    parse_name,
)
from features.slow_templates import FIGURE_1, grammar_of, grammars

OF_RULES = [name for name in NATIVE_TEMPLATES if name != "tgt_border"]
labels = st.text(min_size=1, max_size=6).filter(lambda text: text.encode("utf-8", "ignore").decode() == text)


@settings(max_examples=40, deadline=None)
@given(grammars, labels, st.sampled_from(OF_RULES))
def test_the_same_features_under_the_name_of_the_label(lines: list[str], label: str, name: str):
    grammar = grammar_of("\n".join(lines))
    plain = list(TemplateSet([name]).vectors(grammar))
    both = list(TemplateSet([name, f"{name}@label"]).vectors(grammar, label))
    for expected, found in zip(plain, both, strict=True):
        parsed = {feature: parse_name(feature) for feature in found}
        assert {n: v for n, v in found.items() if not parsed[n].label} == expected
        with_label = {n: v for n, v in found.items() if parsed[n].label}
        assert all(parsed[n].label == label and str(parsed[n]) == n for n in with_label)
        assert {n[: n.rindex("<@")]: v for n, v in with_label.items()} == expected


def test_names_on_an_example():
    templates = TemplateSet(["word_pair@label", "length"])
    assert templates.has_labels and not TemplateSet(["word_pair"]).has_labels
    second = list(templates.vectors(grammar_of(FIGURE_1), "news"))[1]
    assert set(second) == {
        "word_pair:mir|me<@news>",
        "word_pair:versprochen|promised<@news>",
        "word_pair:hat|<@news>",
        "length:3|2",
    }
    assert describe("word_pair:mir|me<@news>") == "mir ~ me, news only"


def test_without_a_label_there_are_none():
    assert all(not vector for vector in TemplateSet(["id@label"]).vectors(grammar_of(FIGURE_1)))


def test_known_features_have_their_ids():
    index = FeatureIndex()
    id_ = index.intern("shape:N+N+|N+N<@a b>".replace(" ", "%20"))
    found = TemplateSet(["shape@label"]).rule_features(grammar_of(FIGURE_1), index, "a b")
    assert found.features.tolist()[:2] == [id_, id_] and found.locals == 1
    assert known_labels(Weights.from_dict({"id:a|b<@x%20y>": 1.0, "id:a|b<@z>": 0.0, "Glue": 2.0})) == ["x y"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["tgt_border@label"], "'tgt_border' cannot have labels"),
        (["id@label", "id@label"], "'id@label' is given twice"),
        (["idd@label"], "unknown template 'idd@label'"),
        (["src_ngram:n=0@label"], "n-gram orders"),
        (["id@labels"], "unknown template"),
    ],
)
def test_what_cannot_have_labels(names: list[str], message: str):
    with pytest.raises(DemoticError, match=message):
        TemplateSet(names)
