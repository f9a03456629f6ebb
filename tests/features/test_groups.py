"""Feature groups: tied features against sums by hand, the file, weights there and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.features import FeatureGroups, FeatureIndex, TemplateSet, Weights, template
from features.slow_templates import FIGURE_1, grammar_of, grammars

TEMPLATES = ["id", "src_ngram:n=1..2", "shape", "tgt_ngram:n=1..1"]


def groups_of(mapping: dict[str, int]) -> FeatureGroups:
    return FeatureGroups.from_text("".join(f"{name}\t{group}\n" for name, group in mapping.items()).encode())


@given(grammars, st.integers(1, 4), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_group_is_the_sum_of_its_members(lines: list[str], groups: int, random: object):
    grammar = grammar_of("\n".join(lines))
    plain = list(TemplateSet(TEMPLATES).vectors(grammar))
    names = sorted({name for vector in plain for name in vector})
    drawn = {name: random.randint(0, groups) for name in names}  # type: ignore[attr-defined]
    numbers = {old: new for new, old in enumerate(sorted({g for g in drawn.values() if g}), start=1)}
    mapping = {name: numbers[group] for name, group in drawn.items() if group}
    tied = TemplateSet(TEMPLATES, groups=groups_of(mapping))
    for vector, found in zip(plain, tied.vectors(grammar), strict=True):
        expected: dict[str, float] = {}
        for name, value in vector.items():
            if name in mapping:
                key = f"group:{mapping[name]}"
                expected[key] = expected.get(key, 0.0) + value
        assert found == pytest.approx(expected)
    index = FeatureIndex()
    known = index.intern("group:1")
    rows = tied.rule_features(grammar, index)
    assert set(rows.features[rows.features < 1 << 31].tolist()) <= {known}


def test_python_templates_are_grouped_too():
    @template("first_word")
    def first_word(rule):
        return rule.target[0]

    grammar = grammar_of(FIGURE_1)
    names = sorted({name for vector in TemplateSet(["first_word"]).vectors(grammar) for name in vector})
    tied = TemplateSet(["first_word", "shape"], groups=groups_of({names[0]: 1}))
    found = list(tied.vectors(grammar))
    assert all(set(vector) <= {"group:1"} for vector in found) and any(found)


def test_the_example_of_section_3():
    """Weights 1, 3, 1, 3, 1 are the groups {1, 3, 5} and {2, 4}; zeros are in none, and signs matter."""
    names = [f"id:{i}" for i in range(1, 6)]
    groups = FeatureGroups.from_values(names, np.array([1.0, 3.0, 1.0, 3.0, 1.0]))
    assert groups.members() == [["id:2", "id:4"], ["id:1", "id:3", "id:5"]]
    signed = FeatureGroups.from_values(names, np.array([1.0, -1.0, 0.0, -0.0, 1.0]))
    assert signed.members() == [["id:1", "id:5"], ["id:2"]] and len(signed) == 2 and signed.features == 3
    assert FeatureGroups.from_values(names, np.zeros(5)).members() == []


@given(st.dictionaries(st.integers(0, 30).map("id:{}".format), st.integers(1, 3), min_size=1))
def test_files_and_weights_there_and_back(tmp_path_factory: pytest.TempPathFactory, mapping: dict[str, int]):
    numbers = {old: new for new, old in enumerate(sorted(set(mapping.values())), start=1)}
    groups = groups_of({name: numbers[group] for name, group in mapping.items()})
    path = tmp_path_factory.mktemp("groups") / "groups.txt"
    groups.save(path)
    assert FeatureGroups.load(path).members() == FeatureGroups.load(path.parent).members() == groups.members()
    packed = Weights.from_dict({"Glue": 2.0, **{f"group:{g}": g / 3 for g in numbers.values()}}).pack()
    untied = Weights.unpack(groups.untie(packed)).to_dict()
    assert untied == {"Glue": 2.0, **{name: numbers[group] / 3 for name, group in mapping.items()}}
    again = Weights.unpack(groups.tie(groups.untie(packed))).to_dict()
    assert again == pytest.approx(Weights.unpack(packed).to_dict())


def test_a_group_of_different_weights_gets_their_mean():
    groups = groups_of({"id:a": 1, "id:b": 1, "id:c": 2})
    packed = Weights.from_dict({"Glue": 1.0, "id:a": 3.0, "shape:+|+": 9.0}).pack()
    assert Weights.unpack(groups.tie(packed)).to_dict() == {"Glue": 1.0, "group:1": 1.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id:a\n", "its group; this one has 1"),
        ("id:a 1 2\n", "its group; this one has 3"),
        ("id:a\t0\n", "groups.txt:1: '0' is not the number of a group"),
        ("id:a\tone\n", "not the number of a group"),
        ("id:a\t99999999999999999999\n", "not the number of a group"),
        ("# fine\nLanguageModel\t1\n", "groups.txt:2: 'LanguageModel' is not a feature of a template"),
        ("id:a\t1\nid:a\t1\n", "comes twice"),
        ("id:a\t2\nid:b\t2\n", "group 1 has no features"),
        ("id:a\t1000000\n", "group 1000000 of only 1 features"),
    ],
)
def test_bad_files(text: str, message: str):
    with pytest.raises(DemoticError) as error:
        FeatureGroups.from_text(text.encode())
    assert message in str(error.value)


def test_features_of_no_template(tmp_path: Path):
    groups = groups_of({"id:a": 1, "shape:+|+": 1, "src_ngram:a_b": 2})
    groups.check_templates(["id", "shape", "ngram"])
    with pytest.raises(DemoticError, match="is in a group, but no template produces it"):
        groups.check_templates(["id", "src_ngram:n=2"])
    with pytest.raises(DemoticError, match=r"the model has no groups.txt"):
        FeatureGroups.load(tmp_path)
