"""Templates that users write in Python."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from demotic.base import DemoticError
from demotic.features import FeatureIndex, TemplateSet, describe, template
from demotic.features.names import unescape
from demotic.grammar import Rule
from features.slow_templates import FIGURE_1, grammar_of


def test_a_function_is_run_once_per_distinct_rule():
    seen: list[Rule] = []

    @template("py_ends")
    def ends(rule: Rule) -> str:
        seen.append(rule)
        return f"{rule.source[-1]} / {rule.target[-1]}"

    templates = TemplateSet(["py_ends"])
    wanted = [{"py_ends:versprochen%20/%20[X,2]": 1.0}] * 2 + [{"py_ends:[X,2]%20/%20[X,2]": 1.0}]
    for _ in range(3):
        assert list(templates.vectors(grammar_of(FIGURE_1))) == wanted
    assert [" ".join(rule.source) for rule in seen] == [
        "[X,1] hat [X,2] versprochen",
        "[X,1] hat mir [X,2] versprochen",
        "[X,1] versprach [X,2]",
    ]
    assert seen[1].alignment == ((2, 2), (4, 1)) and seen[1].features == {}
    assert describe("py_ends:versprochen%20/%20[X,2]") == "py_ends: versprochen / [X,2]"


def test_rules_with_other_alignments_are_other_rules():
    @template("py_links")
    def links(rule: Rule) -> list[tuple[str, float]]:
        return [("links", len(rule.alignment))]

    templates = TemplateSet(["py_links"])
    values = [
        next(templates.vectors(grammar_of(f"[X] ||| a b ||| c d ||| ||| {links}")))
        for links in ("0-0", "0-0 1-1", "")
    ]
    assert values == [
        {"py_links:links": 1.0},
        {"py_links:links": 2.0},
        {},
    ]  # a feature of value 0 does not fire


def test_functions_stand_beside_native_templates():
    @template("py_pairs")
    def pairs(rule: Rule) -> list[tuple[str, float]]:
        return [("a=b|||c", 0.5), ("a=b|||c", 0.25), ("100%", -1.0)]

    templates = TemplateSet(["id", "py_pairs", "shape"])
    for vector in templates.vectors(grammar_of(FIGURE_1)):
        assert vector["py_pairs:a%3Db|%7C%7Cc"] == 0.75 and vector["py_pairs:100%25"] == -1.0
        assert len(vector) == 4
    assert unescape("a%3Db|%7C%7Cc") == "a=b|||c"


def test_local_features_of_functions_can_be_interned():
    template("py_one")(lambda rule: "one")
    templates, index = TemplateSet(["py_one", "shape"]), FeatureIndex()
    found = templates.rule_features(grammar_of(FIGURE_1), index)
    assert [index.name(found.intern_local(i, index)) for i in range(found.locals)] == [
        "shape:N+N+|N+N",
        "py_one:one",
        "shape:N+N|N+N",
    ]
    assert templates.rule_features(grammar_of(FIGURE_1), index).locals == 0


def test_functions_run_in_any_thread():
    calls = []

    @template("py_threads")
    def target_words(rule: Rule) -> str:
        calls.append(rule)
        return " ".join(rule.target)

    templates = TemplateSet(["py_threads", "id"])
    lines = [f"[X] ||| w{i} ||| v{i} ||| ||| 0-0" for i in range(200)]
    texts = ["\n".join(lines[i % 7 : 100 + i]) for i in range(40)]
    index = FeatureIndex()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: templates.rule_features(grammar_of(text), index), texts))
    assert all(len(features) == text.count("\n") + 1 for features, text in zip(found, texts, strict=True))
    assert len(calls) == len({rule.source for rule in calls}) == 139


def test_an_error_inside_a_function_reaches_the_caller_and_leaves_nothing_behind():
    failing = [True]

    @template("py_fails")
    def fails(rule: Rule) -> str:
        if failing[0]:
            raise KeyError("mine")
        return "fine"

    templates = TemplateSet(["py_fails"])
    with pytest.raises(KeyError, match="mine"):
        templates.rule_features(grammar_of(FIGURE_1), FeatureIndex())
    failing[0] = False
    assert list(templates.vectors(grammar_of(FIGURE_1))) == [{"py_fails:fine": 1.0}] * 3


@pytest.mark.parametrize("result", [None, 3, [("a", float("nan"))], ["ab", "c"], [("a", "b")], [(1, 1.0)]])
def test_what_is_not_a_list_of_features(result: object):
    template("py_bad")(lambda rule: result)  # type: ignore[arg-type, return-value]
    with pytest.raises(DemoticError, match="template 'py_bad' must return"):
        TemplateSet(["py_bad"]).rule_features(grammar_of(FIGURE_1), FeatureIndex())


def test_registering_again_replaces_the_function_in_new_sets():
    template("py_twice")(lambda rule: "old")
    old = TemplateSet(["py_twice"])
    template("py_twice")(lambda rule: "new")
    assert next(TemplateSet(["py_twice"]).vectors(grammar_of(FIGURE_1))) == {"py_twice:new": 1.0}
    assert next(old.vectors(grammar_of(FIGURE_1))) == {"py_twice:old": 1.0}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("id", "built-in"),
        ("ngram", "built-in"),
        ("a:b", "not a valid template name"),
        ("", "not a valid template name"),
    ],
)
def test_names_that_templates_cannot_have(name: str, message: str):
    with pytest.raises(DemoticError, match=message):
        template(name)


def test_a_function_comes_once():
    template("py_same")(lambda rule: "x")
    with pytest.raises(DemoticError, match="is given twice"):
        TemplateSet(["py_same", "py_same"])
