"""An index with additions equals an index of all pairs together."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.grammar import ADDITION, ExtractOptions, Grammar, GrammarIndex
from grammar.corpora import EXACT, corpora, index_of, with_options
from grammar.slow_extractor import Pair


def as_lines(pairs: list[Pair]) -> list[tuple[str, str, str]]:
    """Pairs in the form in which they are added."""
    return [
        (" ".join(source), " ".join(target), " ".join(f"{i}-{j}" for i, j in sorted(links)))
        for source, target, links in pairs
    ]


def content(grammar: Grammar) -> list[tuple[object, ...]]:
    """Everything about the rules, in their order, but the feature that tells additions from other pairs."""
    counts = grammar.native.counts().tolist()
    return [
        (
            rule.source,
            rule.target,
            rule.alignment,
            *row,
            {k: v for k, v in rule.features.items() if k != ADDITION},
        )
        for rule, row in zip(grammar, counts, strict=True)
    ]


@given(corpora(min_size=2), st.data(), st.sampled_from(["cdec12", "hiero8"]), st.sampled_from([0, 2]))
@settings(max_examples=60, deadline=None)
def test_equals_an_index_of_all_pairs(corpus: list[Pair], data: st.DataObject, features: str, targets: int):
    first = data.draw(st.integers(1, len(corpus) - 1))
    sentence = data.draw(st.sampled_from(corpus))[0] + data.draw(st.sampled_from(corpus))[0]
    numbers = st.integers(0, len(corpus) - 1)
    masks = [None, data.draw(numbers), data.draw(st.sets(numbers))]
    options = ExtractOptions(max_samples=0, features=features, max_targets=targets)
    with tempfile.TemporaryDirectory() as folder:
        added = index_of(corpus[:first], Path(folder), options).with_additions(as_lines(corpus[first:]))
        whole = index_of(corpus, Path(folder), options)
        for mask in [*masks, masks[0]]:  # the first one again, from the cache
            assert content(added.grammar(sentence, mask)) == content(whole.grammar(sentence, mask))
        for i in range(len(corpus)):
            for ours, theirs in zip(
                (added.source(i), added.target(i), added.links(i)),
                (whole.source(i), whole.target(i), whole.links(i)),
                strict=True,
            ):
                assert ours == theirs
        assert added.pairs_with(corpus[-1][0]) == whole.pairs_with(corpus[-1][0])
        assert added.longest_match(sentence)[1:] == whole.longest_match(sentence)[1:]
        own, theirs = added.statistics(), whole.statistics()
        assert own["added"] == len(corpus) - first
        for name in ("pairs", "source_tokens", "target_tokens", "source_types", "target_types"):
            assert own[name] == theirs[name]


PAIRS: list[Pair] = [
    (["a", "b"], ["u", "v"], {(0, 0), (1, 1)}),
    (["a"], ["u"], {(0, 0)}),
    (["a", "c"], ["w", "x"], {(0, 0), (1, 1)}),
]


@pytest.fixture
def index(tmp_path: Path) -> GrammarIndex:
    return index_of(PAIRS[:2], tmp_path)


def test_rules_of_additions_are_marked(index: GrammarIndex):
    assert ADDITION not in index.grammar("a").feature_names
    marked = {
        r.target: r.features[ADDITION] for r in index.with_additions(as_lines(PAIRS[2:])).grammar("a b")
    }
    assert marked[("w",)] == 1 and marked[("u",)] == 0 and marked[("u", "v")] == 0


def test_a_sample_of_the_file_leaves_room_for_additions(index: GrammarIndex):
    added = with_options(index.with_additions(as_lines(PAIRS[2:])), ExtractOptions(max_samples=1))
    assert ("w",) in {rule.target for rule in added.grammar("a")}


def test_additions_take_the_place_of_those_before(index: GrammarIndex):
    plain = content(index.grammar("a b c"))
    added = index.with_additions(as_lines(PAIRS[2:]))
    assert len(added) == 3 and len(index) == 2 and content(index.grammar("a b c")) == plain
    assert content(added.grammar("a b c")) != plain
    assert content(added.with_additions([]).grammar("a b c")) == plain


def test_a_mask_belongs_to_the_index_with_its_additions(index: GrammarIndex):
    added = index.with_additions(as_lines(PAIRS[2:]))
    with pytest.raises(DemoticError, match="another index"):
        added.grammar("a", index.mask([0, 1]))
    with pytest.raises(DemoticError, match="cannot exclude sentence 3"):
        added.mask([3])


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("", "u", ""), "empty side"),
        (("a", " ", ""), "empty side"),
        (("a " * 255, "u", ""), "more than 254 words"),
        (("a", "u", "0-1"), "out of range"),
        (("a", "u", "x"), "not an alignment link"),
    ],
)
def test_pairs_that_cannot_be_added(index: GrammarIndex, pair: tuple[str, str, str], message: str):
    with pytest.raises(DemoticError, match=message):
        index.with_additions([pair])


def test_options_carry_over(index: GrammarIndex):
    assert index.with_additions(as_lines(PAIRS[2:])).options == EXACT
