"""Translating leaves the model as it is: features that it has no weights for are shown, but never kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.decode import Decoder, KBest, TranslationModel, feature_parts
from demotic.features import FeatureIndex, Weights


@pytest.fixture(scope="module")
def model(sparse_model_folder: Path) -> TranslationModel:
    return TranslationModel(sparse_model_folder)


@pytest.fixture(scope="module")
def lines(corpus: Path) -> list[str]:
    return (corpus / "test.de").read_text("utf-8").splitlines()[:12]


def learning(model: TranslationModel) -> Decoder:
    """A decoder with the same weights that adds features to their index."""
    return model.decoder.with_weights(Weights.load(model.folder / "weights.txt"))


def words(model: TranslationModel, lines: list[str]) -> list[str]:
    return [" ".join(model.preprocessor.words(line, "source")) for line in lines]


def plain(kbest: KBest) -> list[tuple[list[str], float, dict[str, float]]]:
    """Everything that is said of a list, by name."""
    return [
        (
            kbest.sentence(i),
            float(kbest.scores[i]),
            {kbest.index.name(id_): value for id_, value in zip(*map(list, kbest.row(i)), strict=True)},
        )
        for i in range(len(kbest))
    ]


def test_the_index_of_the_model_stays_as_it_is(model: TranslationModel, lines: list[str]):
    index, values = model.weights.index, model.weights.values.copy()
    size = len(index)
    assert (
        sum(len(kbest.index) for kbest in model.kbest(lines, 20)) > len(lines) * size
    )  # there are new features
    list(model.translate(lines))
    for sentence in words(model, lines):
        graph = model.decoder.decode(sentence)
        for kbest in (graph.kbest(10), graph.viterbi(), graph.sample(5, seed=1)):
            graph.derivation(kbest)
        graph.expected_features()
        graph.to_json()
        graph.prune_to(10).rescore(model.weights).viterbi()
    assert len(index) == size
    assert model.weights.values.tolist() == values.tolist()


@pytest.mark.parametrize("threads", [1, 3])
def test_lists_are_those_of_a_decoder_that_numbers_all_features(
    model: TranslationModel, lines: list[str], threads: int
):
    expected = [plain(kbest) for kbest in learning(model).kbest(words(model, lines), 10, threads=1)]
    assert [plain(kbest) for kbest in model.kbest(lines, 10, threads)] == expected


def test_explanations_are_complete(model: TranslationModel, lines: list[str]):
    """The features of every rule, with and without a weight, and parts that add up to its score."""
    other = learning(model)
    unknown = 0
    for sentence in words(model, lines[:4]):
        graph, numbered = model.decoder.decode(sentence), other.decode(sentence)
        derivation = graph.derivation(graph.viterbi())
        for rule in derivation.rules():
            features = graph.edge_features(rule.edge)
            assert features == numbered.edge_features(rule.edge)
            unknown += sum(name not in model.weights.index for name in features)
            parts = feature_parts(rule, graph, model.weights)
            assert sum(part.product for part in parts) == pytest.approx(rule.score, abs=1e-6)
        assert graph.to_json()["rules"] == numbered.to_json()["rules"]
    assert unknown > 0


def test_expectations_and_files_know_the_names_of_new_features(
    model: TranslationModel, lines: list[str], tmp_path: Path
):
    sentence = words(model, lines)[0]
    graph, numbered = model.decoder.decode(sentence), learning(model).decode(sentence)
    graph.save(tmp_path / "graph")
    for other in (numbered, type(graph).load(tmp_path / "graph")):
        vectors = [
            dict(zip(map(each.index.name, ids.tolist()), values.tolist(), strict=True))
            for each in (graph, other)
            for ids, values in [each.expected_features()]
        ]
        assert vectors[0] == pytest.approx(vectors[1])


def test_other_weights_over_the_same_index(model: TranslationModel, lines: list[str]):
    graph = model.decoder.decode(words(model, lines)[0])
    double = Weights(model.weights.index, 2 * model.weights.values)
    again = graph.rescore(double)
    assert again.viterbi().scores[0] == pytest.approx(2 * graph.viterbi().scores[0])
    with pytest.raises(DemoticError, match="another feature index"):
        graph.rescore(Weights.load(model.folder / "weights.txt"))


def test_threads_side_by_side_give_the_same_as_one(model: TranslationModel, lines: list[str]):
    def ask(sentence: str) -> object:
        graph = model.decoder.decode(sentence)
        tree = graph.derivation(graph.viterbi())
        return plain(graph.kbest(5)), [graph.edge_features(rule.edge) for rule in tree.rules()]

    sentences = words(model, lines) * 3
    alone = [ask(sentence) for sentence in sentences]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, sentences)) == alone


def test_an_index_over_another_one():
    base = FeatureIndex()
    base.intern("a")
    over = FeatureIndex(base)
    assert over.base is base and base.base is None
    assert (over.intern("a"), over.intern("b"), over.name(0), over.name(1)) == (0, 1, "a", "b")
    assert len(base) == 1 and len(over) == 2 and "b" not in base and over.find("b") == 1
    base.intern("c")
    with pytest.raises(DemoticError, match="features were added to a feature index after another one"):
        over.find("c")
