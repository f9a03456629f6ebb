"""Hypergraphs on disk: they come back as they were, or not at all."""

from __future__ import annotations

import json
import math
import random
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.decode import Decoder, Hypergraph
from demotic.features import FeatureIndex, TemplateSet, Weights
from demotic.grammar import parse_grammar
from section_files import without_checksums

from .same_graphs import ALIGNED, TEMPLATES, assert_same, contents
from .toys import RULES, WEIGHTS, decode, problems


@settings(max_examples=30, deadline=None)
@given(problems, st.booleans())
def test_what_is_saved_is_loaded(lm, problem, sparse):
    rules, sentence = problem
    graph = decode(lm, rules, sentence, TemplateSet(TEMPLATES) if sparse else None, pop_limit=20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.bin"
        graph.save(path)
        assert_same(graph, Hypergraph.load(path))
        assert_same(graph, Hypergraph.load(path, graph.index))
        Hypergraph.load(path).save(Path(folder) / "again.bin")
        assert path.read_bytes() == (Path(folder) / "again.bin").read_bytes()


def test_alignments_labels_empty_sides_and_the_empty_sentence(lm, tmp_path: Path):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), templates=TemplateSet(TEMPLATES))
    grammar = parse_grammar(ALIGNED + "[NP] ||| b ||| z ||| A=1\n[X] ||| [NP,1] c ||| y [NP,1] ||| A=3\n")
    for sentence in ("a a b c", "b c \u00e4", ""):
        graph = decoder.decode(sentence, grammar=grammar)
        graph.save(tmp_path / "graph.bin")
        assert_same(graph, Hypergraph.load(tmp_path / "graph.bin"))


def test_features_that_get_a_weight_later_count_when_rescoring(lm):
    """When the graph was made, the index did not know them."""
    graph = decode(lm, RULES, list("ab"), TemplateSet(["id"]), pop_limit=0)
    before = {
        words: s
        for words, s, *_ in map(
            tuple, ((" ".join(w), *r) for w, *r in contents(graph.kbest(99), graph.index))
        )
    }
    heavier = graph.rescore(Weights.from_dict({**WEIGHTS, "id:[1]_b|z_[1]": 5.0}, graph.index))
    found = heavier.kbest(99)
    for words, score, features, _ in contents(found, heavier.index):
        if features.get("id:[1]_b|z_[1]"):
            assert score >= before[" ".join(words)] + 5.0 - 1e-9
    assert found.scores[0] > max(before.values()) + 1


def small_file(lm, folder: Path) -> Path:
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), templates=TemplateSet(["shape", "word_pair"]))
    path = folder / "small.bin"
    decoder.decode("a a b c", grammar=parse_grammar(ALIGNED)).save(path)
    return path


def test_truncations_are_errors(lm, tmp_path: Path):
    path = small_file(lm, tmp_path)
    whole = path.read_bytes()
    for size in [*range(0, len(whole), 5), *range(len(whole) - 20, len(whole))]:
        path.write_bytes(whole[:size])
        with pytest.raises(DemoticError):
            Hypergraph.load(path)
    path.write_bytes(whole + b"x")
    with pytest.raises(DemoticError, match="truncated"):
        Hypergraph.load(path)


def test_damaged_bytes_are_an_error_or_another_graph(lm, tmp_path: Path):
    """Whatever loads must be usable."""
    path = small_file(lm, tmp_path)
    whole = without_checksums(path.read_bytes())
    rng = random.Random(1)
    refused = 0
    for _ in range(1000):
        damaged = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 5])):
            damaged[rng.randrange(len(whole))] = rng.choice([0, 1, 2, 127, 128, 255, rng.randrange(256)])
        path.write_bytes(damaged)
        index = FeatureIndex()
        try:
            graph = Hypergraph.load(path, index)
        except DemoticError:
            refused += 1
            continue
        found = graph.kbest(20, unique=True)
        assert len(found) >= 1
        graph.derivation(found)
        graph.sample(5, seed=1)
        graph.expected_features()
        json.dumps(graph.to_json())
    assert refused > 100


@pytest.mark.parametrize("content", [b"", b"DEMOTIC\n", b"x" * 1000])
def test_other_files_are_refused(tmp_path: Path, content: bytes):
    (tmp_path / "f").write_bytes(content)
    with pytest.raises(DemoticError, match="not a Demotic binary file"):
        Hypergraph.load(tmp_path / "f")


def test_json_says_everything(lm):
    """Words, scores and sums, from the JSON text alone."""
    graph = decode(lm, RULES, list("abab"), TemplateSet(TEMPLATES), pop_limit=0)
    data = json.loads(json.dumps(graph.to_json()))
    weights = {**WEIGHTS, "shape:+|+": 0.25}
    best: list[tuple[float, list[str]]] = []
    sums: list[float] = []
    for node in data["nodes"]:
        derivations, scores = [], []
        for edge in data["edges"][slice(*node["edges"])]:
            rule = data["rules"][edge["rule"]]
            own = sum(weights.get(name, 0.0) * value for name, value in rule["features"].items())
            own += weights[data["language_model"]] * edge["lm"]
            words = [
                w
                for s in rule["target"]
                for w in ([s] if isinstance(s, str) else best[edge["tails"][s - 1]][1])
            ]
            derivations.append((own + sum(best[tail][0] for tail in edge["tails"]), words))
            scores.append(own + sum(sums[tail] for tail in edge["tails"]))
        best.append(max(derivations, key=lambda pair: pair[0]))
        sums.append(max(scores) + math.log(sum(math.exp(s - max(scores)) for s in scores)))
    rescored = graph.rescore(Weights.from_dict(weights, graph.index))
    assert best[-1][0] == pytest.approx(rescored.viterbi().scores[0], abs=1e-9)
    assert best[-1][1] == rescored.viterbi().sentence(0)
    assert np.allclose(sums, rescored.inside(), atol=1e-9)


def test_weights_of_another_index_are_refused(lm):
    with pytest.raises(DemoticError, match="another feature index"):
        decode(lm, RULES, list("ab")).rescore(Weights.from_dict(WEIGHTS))
