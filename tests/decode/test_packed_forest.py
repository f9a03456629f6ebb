"""Packed hypergraphs: what decoding gives, to the last bit, or an error; never a crash."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.base import DemoticError
from demotic.decode import DecodeOptions, Decoder, Hypergraph, TranslationModel
from demotic.features import TemplateSet, Weights
from demotic.grammar import ADDITION, parse_grammar

from .brute_force import derivations, score
from .same_graphs import ALIGNED, TEMPLATES, assert_same
from .toys import RULES, WEIGHTS, grammar_of, problems

ENOUGH = 2000  # derivations: more would take too long to enumerate
OTHER_WEIGHTS = {**WEIGHTS, "A": 2.0, "LanguageModel": 0.3, "shape:+|+": 0.5, "id:a|x": -1.5}


@settings(max_examples=30, deadline=None)
@given(problems, st.booleans())
def test_what_is_packed_is_unpacked(lm, problem, sparse):
    rules, sentence = problem
    templates = TemplateSet(TEMPLATES) if sparse else None
    decoder = Decoder(
        lm, Weights.from_dict(WEIGHTS), grammar_of(rules), templates, DecodeOptions(pop_limit=20)
    )
    graph = decoder.decode(sentence)
    again = decoder.unpack(graph.pack(), sentence)
    assert_same(graph, again)
    assert again.pack() == graph.pack()


@settings(max_examples=30, deadline=None)
@given(problems)
def test_rescored_under_other_weights_it_is_what_brute_force_finds(lm, problem):
    rules, sentence = problem
    usual = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(rules), None, DecodeOptions(pop_limit=0))
    packed = usual.decode(sentence).pack()
    other = usual.with_weights(Weights.from_dict(OTHER_WEIGHTS))
    found = other.unpack(packed, sentence).kbest(ENOUGH + 1)
    expected = []
    for derivation in derivations(sentence, rules):
        expected.append((score(derivation, OTHER_WEIGHTS, lm), derivation.words))
        assume(len(expected) <= ENOUGH)
    assert found.scores == pytest.approx(sorted((value for value, _ in expected), reverse=True), abs=1e-4)
    assert Counter(map(tuple, found.sentences())) == Counter(words for _, words in expected)


def test_labels_alignments_empty_sides_and_the_empty_sentence(lm):
    rules = parse_grammar(ALIGNED + "[NP] ||| b ||| z ||| A=1\n[X] ||| [NP,1] c ||| y [NP,1] ||| A=3\n")
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), rules, TemplateSet(TEMPLATES))
    for sentence in ("a a b c", "b c \u00e4", ""):
        graph = decoder.decode(sentence)
        assert_same(graph, decoder.unpack(graph.pack(), sentence))


@pytest.fixture(scope="module")
def extracted(model_folder: Path) -> tuple[Decoder, str, Hypergraph]:
    """A sentence with rules from an index, which have statistics, decoded without itself."""
    model = TranslationModel(model_folder)
    decoder = Decoder(model.lm, model.weights, model.index, TemplateSet(["id", "count_bin", "word_pair"]))
    sentence = " ".join(model.index.source(3))
    return decoder, sentence, decoder.decode(sentence, exclude=3)


def test_rules_of_an_index(extracted: tuple[Decoder, str, Hypergraph]):
    decoder, sentence, graph = extracted
    again = decoder.unpack(graph.pack(), sentence)
    assert_same(graph, again)
    pruned = graph.prune_to(100)
    assert_same(pruned, decoder.unpack(pruned.pack(), sentence))
    assert len(pruned.pack()) < len(graph.pack()) / 4


def test_rules_of_additions(model_folder: Path):
    model = TranslationModel(model_folder)
    words = " ".join(model.index.source(3)), " ".join(model.index.target(3))
    index = model.index.with_additions([(*words, "0-0 1-1")])
    decoder = Decoder(model.lm, Weights.from_dict({"LanguageModel": 1.0, ADDITION: 0.5}), index)
    graph = decoder.decode(words[0])
    assert ADDITION in {graph.index.name(int(id_)) for id_ in graph.viterbi().row(0)[0]}
    assert_same(graph, decoder.unpack(graph.pack(), words[0]))


def test_counts_of_rules_are_kept(extracted: tuple[Decoder, str, Hypergraph]):
    """Conditioning asks for them."""
    decoder, sentence, graph = extracted
    counts = []
    for one in (graph, decoder.unpack(graph.pack(), sentence)):
        one.kbest(50)  # gives features ids
        counts.append(_core.FeatureCounts())
        counts[-1].observe(one.native, one.index)
    name = next(name for name in graph.edge_features(0) if name.startswith("id:"))
    ids = np.array([decoder.weights.index.find(name)], dtype=np.uint32)
    assert counts[0].counts(ids) == counts[1].counts(ids) > 0


def use(graph: Hypergraph) -> None:
    """Whatever is unpacked must be usable."""
    found = graph.kbest(20, unique=True)
    assert len(found) >= 1
    graph.derivation(found)
    graph.sample(5, seed=1)
    graph.expected_features()
    graph.to_json()


def refusals(decoder: Decoder, sentence: str, damaged: Iterable[bytes]) -> int:
    refused = 0
    for packed in damaged:
        try:
            use(decoder.unpack(packed, sentence))
        except DemoticError:
            refused += 1
    return refused


def flipped(whole: bytes, times: int) -> Iterator[bytes]:
    rng = random.Random(1)
    for _ in range(times):
        content = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 5])):
            content[rng.randrange(len(whole))] = rng.choice([0, 1, 2, 127, 128, 255, rng.randrange(256)])
        yield bytes(content)


def test_damaged_bytes_are_an_error_or_another_graph(lm, extracted: tuple[Decoder, str, Hypergraph]):
    toy = Decoder(lm, Weights.from_dict(WEIGHTS), parse_grammar(ALIGNED), TemplateSet(["shape", "word_pair"]))
    assert refusals(toy, "a a b c", flipped(toy.decode("a a b c").pack(), 1000)) > 200
    decoder, sentence, graph = extracted
    assert refusals(decoder, sentence, flipped(graph.prune_to(60).pack(), 500)) > 100


def test_truncations_are_errors(lm):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    whole = decoder.decode("a b a").pack()
    cut = [whole[:size] for size in range(len(whole))]
    assert refusals(decoder, "a b a", [*cut, whole + b"x"]) == len(whole) + 1


def test_the_wrong_sentence_is_an_error(lm):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    with pytest.raises(DemoticError, match="a packed hypergraph is damaged"):
        decoder.unpack(decoder.decode("a b a").pack(), "a b")


def forest_file(lm, path: Path) -> dict[int, bytes]:
    """A file with a few graphs, and what is in it."""
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    graphs = {number: decoder.decode(words) for number, words in ((7, "a b"), (0, "a b a"), (3, ""))}
    writer = _core.ForestFileWriter(str(path), "key", 1_000_000)
    assert all(writer.add(number, graph.native) for number, graph in graphs.items())
    assert not path.exists()
    writer.finish()
    return {number: graph.pack() for number, graph in graphs.items()}


def test_a_file_finds_what_was_written(lm, tmp_path: Path):
    packed = forest_file(lm, tmp_path / "f")
    file = _core.ForestFile(str(tmp_path / "f"), "key")
    assert len(file) == 3
    assert {number: file.find(number) for number in range(9)} == {**dict.fromkeys(range(9), b""), **packed}


def test_files_of_others_are_refused(lm, tmp_path: Path):
    forest_file(lm, tmp_path / "f")
    for path, key in (("f", "another"), ("f", "ke"), ("absent", "key")):
        with pytest.raises(DemoticError):
            _core.ForestFile(str(tmp_path / path), key)


def test_a_damaged_file_is_refused_or_as_it_was(lm, tmp_path: Path):
    path = tmp_path / "f"
    packed = forest_file(lm, path)
    whole = path.read_bytes()
    refused = 0
    for content in [*(whole[:size] for size in range(0, len(whole), 11)), *flipped(whole, 300)]:
        path.write_bytes(content)
        try:
            file = _core.ForestFile(str(path), "key")
        except DemoticError:
            refused += 1
        else:
            found = {number: record for number in range(300) if (record := file.find(number))}
            assert set(found.values()) <= set(packed.values())
    assert refused > len(whole) / 11


def test_a_file_without_room(lm, tmp_path: Path):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    small, large = decoder.decode("a"), decoder.decode("a b a b a")
    for limit in (0, 1200, 1500, 20_000):
        path = tmp_path / str(limit)
        writer = _core.ForestFileWriter(str(path), "key", limit)
        kept = [writer.add(number, graph.native) for number, graph in enumerate([large, small, small])]
        writer.finish()
        assert len(writer) == sum(kept)
        assert path.stat().st_size <= limit or not any(kept)
    assert kept == [True, True, True]
