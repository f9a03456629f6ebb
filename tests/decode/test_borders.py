"""Bigrams of target words where rules meet: in search, lists and sums, against brute-force enumeration."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import assume, given, settings

from demotic.base import DemoticError
from demotic.corpus import WordClasses
from demotic.decode import DecodeOptions, Decoder, Hypergraph
from demotic.evaluate import References
from demotic.features import TemplateSet, Weights, describe, parse_name
from demotic.learn import expected_linear_bleu
from demotic.lm import LanguageModel

from .brute_force import PlainRule, derivations, score
from .toys import RULES, WEIGHTS, grammar_of, problems

ENOUGH = 2000  # derivations: more would take too long to enumerate
MARKED = ["<s>", "</s>", *"xyzqabc"]


def border_weights() -> dict[str, float]:
    """Some weight for every bigram, large enough to change what is best."""
    names = [f"tgt_border:{a}_{b}" for a in MARKED for b in MARKED]
    return {**WEIGHTS, **{name: crc32(name.encode()) % 997 / 300 - 1.6 for name in names}}


def decode(lm: LanguageModel, rules: list[PlainRule], sentence: list[str], pop_limit: int = 0) -> Hypergraph:
    decoder = Decoder(
        lm,
        Weights.from_dict(border_weights()),
        templates=TemplateSet(["tgt_border"]),
        options=DecodeOptions(pop_limit=pop_limit),
    )
    return decoder.decode(sentence, grammar=grammar_of(rules))


def enumerate_all(lm: LanguageModel, rules: list[PlainRule], sentence: list[str]):
    found = []
    for derivation in derivations(sentence, rules, with_borders=True):
        found.append((score(derivation, border_weights(), lm), derivation))
        assume(len(found) <= ENOUGH)
    return sorted(found, key=lambda pair: -pair[0])


@settings(max_examples=60, deadline=None)
@given(problems)
def test_search_scores_the_bigrams_of_every_derivation(lm, problem):
    expected = enumerate_all(lm, *problem)
    graph = decode(lm, *problem)
    found = graph.kbest(ENOUGH + 1)
    assert found.scores == pytest.approx([value for value, _ in expected], abs=1e-4)
    named = Counter()
    for i in range(len(found)):
        row = zip(*(part.tolist() for part in found.row(i)), strict=True)
        pairs = [(graph.index.name(id_), value) for id_, value in row]
        named[tuple(sorted(pair for pair in pairs if pair[0].startswith("tgt_border:")))] += 1
    assert named == Counter(
        tuple(pair for pair in derivation.features if pair[0].startswith("tgt_border:"))
        for _, derivation in expected
    )


@settings(max_examples=40, deadline=None)
@given(problems)
def test_cube_pruning_finds_what_the_bigrams_make_best(lm, problem):
    """Items with other words at their borders stay apart; with a large limit nothing is lost."""
    expected = enumerate_all(lm, *problem)
    found = decode(lm, *problem, pop_limit=5000).viterbi()
    assert found.scores[0] == pytest.approx(expected[0][0], abs=1e-4)


@settings(max_examples=20, deadline=None)
@given(problems)
def test_expected_features_and_forced_derivations(lm, problem):
    rules, sentence = problem
    expected = enumerate_all(lm, *problem)
    graph = decode(lm, *problem)
    scores = np.array([value for value, _ in expected])
    shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    sums: Counter[str] = Counter()
    for share, (_, derivation) in zip(shares, expected, strict=True):
        for name, value in derivation.features:
            sums[name] += share * value
    ids, values = graph.expected_features()
    for id_, value in zip(ids.tolist(), values.tolist(), strict=True):
        if (name := graph.index.name(id_)).startswith("tgt_border:"):
            assert value == pytest.approx(sums.pop(name, 0.0), abs=1e-4)
    assert not [name for name in sums if name.startswith("tgt_border:") and sums[name] > 1e-4]
    best = expected[0][1]
    decoder = Decoder(lm, Weights.from_dict(border_weights()), templates=TemplateSet(["tgt_border"]))
    forced = decoder.decode_reference(sentence, best.words, grammar=grammar_of(rules))
    assert forced is not None and forced.viterbi().scores[0] == pytest.approx(expected[0][0], abs=1e-4)


SENTENCE = ["a", "b", "a", "b", "c"]


def test_pruned_packed_and_refined_graphs_keep_them(lm):
    graph = decode(lm, RULES, SENTENCE)
    text = graph.kbest(20).to_text(0)
    assert "tgt_border:c_</s>=1" in text and "tgt_border:<s>_" in text
    assert graph.prune_to(10_000, 20).kbest(20).to_text(0) == text
    decoder = Decoder(lm, Weights.from_dict(border_weights()), grammar_of(RULES), TemplateSet(["tgt_border"]))
    assert decoder.unpack(graph.pack(), SENTENCE).kbest(20).to_text(0) == text
    loss, ids, _ = expected_linear_bleu(graph, References([["x", "z", "y", "z", "c"]]))
    assert loss > 0 and any(graph.index.name(id_).startswith("tgt_border:") for id_ in ids.tolist())


@pytest.mark.parametrize("bigram", ["z c", "c y", "x z"])
def test_other_weights_change_what_is_best(lm, bigram: str):
    name, rules = "tgt_border:" + bigram.replace(" ", "_"), grammar_of(RULES)
    for weight, expected in ((50.0, True), (-50.0, False)):
        weights = Weights.from_dict({**border_weights(), name: weight})
        decoder = Decoder(lm, weights, rules, TemplateSet(["tgt_border"]), DecodeOptions(pop_limit=30))
        assert (name in decoder.decode(SENTENCE).viterbi().to_text(0)) is expected
    graph = decode(lm, RULES, SENTENCE)
    again = graph.rescore(Weights.from_dict({**border_weights(), name: 50.0}, graph.index))
    assert bigram in " ".join(again.viterbi().sentence(0))


def test_bigrams_of_classes(lm, tmp_path: Path):
    (tmp_path / "classes").write_text("x\t1\ny\t2\nz\t2\n")
    classes = WordClasses.load(tmp_path / "classes", 2)
    templates = TemplateSet(["class_tgt_border:2", "tgt_border"], classes={2: (classes, classes)})
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), templates=templates)
    found = decoder.decode(["a", "c"], grammar=grammar_of([PlainRule(("a",), ("x",), {"A": 0.1})])).viterbi()
    features = found.to_text(0).split(" ||| ")[2].split()
    borders = {feature for feature in features if "tgt_border" in feature}
    assert borders == {
        "tgt_border:<s>_x=1",
        "tgt_border:x_c=1",
        "tgt_border:c_</s>=1",
        "class_tgt_border:2:<s>_<1>=1",
        "class_tgt_border:2:<1>_<unk>=1",
        "class_tgt_border:2:<unk>_</s>=1",
    }


def test_an_old_graph_cannot_have_them(lm):
    plain = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    packed = plain.decode(SENTENCE).pack()
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES), TemplateSet(["tgt_border"]))
    with pytest.raises(DemoticError, match="made without the template tgt_border"):
        decoder.unpack(packed, SENTENCE)


def test_they_cannot_be_saved(lm, tmp_path: Path):
    with pytest.raises(DemoticError, match="words where rules meet cannot be saved"):
        decode(lm, RULES, SENTENCE).save(tmp_path / "graph")


def test_names():
    assert str(parse_name("tgt_border:<s>_a%5Fb")) == "tgt_border:<s>_a%5Fb"
    assert parse_name("tgt_border:a_b").target == ("a", "b")
    assert describe("tgt_border:<s>_the") == "words where rules meet: (begin) the"
    assert describe("class_tgt_border:50:<9>_</s>") == "words where rules meet: <9> (end) (50 classes)"
