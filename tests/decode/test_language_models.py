"""Several language models in one search, against enumeration: every one of them asked about whole sentences."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.corpus import WordClasses
from demotic.decode import DecodeOptions, Decoder, FurtherModel, Hypergraph, LanguageModels, SpanConstraint
from demotic.evaluate import References
from demotic.features import Weights
from demotic.learn import expected_linear_bleu
from demotic.lm import LanguageModel, LmOptions, train

from .brute_force import PlainDerivation, PlainRule, derivations, score
from .toys import RULES, WEIGHTS, grammar_of, problems

pytestmark = pytest.mark.filterwarnings("ignore::demotic.base.errors.DemoticWarning")

ENOUGH = 2000
ORDERS = (1, 2, 4)
FURTHER = {"Classes": 0.8, "More": -0.4}
ALL_WEIGHTS = {**WEIGHTS, **FURTHER}
CLASSES = ["x\t1\ny\t1\nz\t2\n", "x\t1\ny\t2\nz\t3\n", "z\t1\nx\t2\n"]

Trained = dict[tuple[str, int], LanguageModel]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Models of some words and of some classes, of three orders."""
    folder = tmp_path_factory.mktemp("models")
    texts = {
        "words": "x y z\ny z\nz z x\nx\ny x y z x\n",
        "classes": "1 2 1\n2 2 1 1\n1 3\nunk 1 2\n1 1 1 2 1\n",
    }
    found = {}
    for kind, text in texts.items():
        (folder / kind).write_text(text)
        for order in ORDERS:
            path = folder / f"{kind}.{order}.bin"
            train([folder / kind], LmOptions(order=order), path, threads=1)
            found[kind, order] = LanguageModel.load(path)
    return found


def classes_of(text: str) -> WordClasses:
    return WordClasses(_core.WordClasses.from_text(text.encode(), "classes", 3))


def models_of(lm: LanguageModel, trained: Trained, orders: tuple[int, int], classes: str) -> LanguageModels:
    first = FurtherModel("Classes", "c", trained["classes", orders[0]], classes_of(classes))
    return LanguageModels(lm, (first, FurtherModel("More", "m", trained["words", orders[1]])))


choices = st.tuples(
    st.tuples(st.sampled_from(ORDERS), st.sampled_from(ORDERS)),
    st.sampled_from(CLASSES),
)


def whole_score(derivation: PlainDerivation, models: LanguageModels) -> float:
    words = list(derivation.words)
    further = sum(FURTHER[model.feature] * model.score(words) for model in models.further)
    return score(derivation, WEIGHTS, models.words) + further


def decode(models: LanguageModels, rules: list[PlainRule], sentence: list[str], **options: int) -> Hypergraph:
    decoder = Decoder(models, Weights.from_dict(ALL_WEIGHTS), options=DecodeOptions(**options))
    return decoder.decode(sentence, grammar=grammar_of(rules))


@settings(max_examples=60, deadline=None)
@given(problems, choices)
def test_exhaustive_search_finds_every_derivation_with_its_score(lm, trained, problem, choice):
    (rules, sentence), models = problem, models_of(lm, trained, *choice)
    expected = []
    for derivation in derivations(sentence, rules):
        expected.append((whole_score(derivation, models), derivation.words))
        assume(len(expected) <= ENOUGH)
    found = decode(models, rules, sentence, pop_limit=0).kbest(ENOUGH + 1)
    assert found.scores == pytest.approx(sorted((value for value, _ in expected), reverse=True), abs=1e-4)
    assert Counter(map(tuple, found.sentences())) == Counter(words for _, words in expected)


@settings(max_examples=40, deadline=None)
@given(problems, choices, st.integers(1, 60))
def test_each_feature_is_what_its_model_says(lm, trained, problem, choice, pops):
    (rules, sentence), models = problem, models_of(lm, trained, *choice)
    graph = decode(models, rules, sentence, pop_limit=pops)
    found = graph.kbest(20)
    for i in range(len(found)):
        ids, values = found.row(i)
        row = {graph.index.name(id_): value for id_, value in zip(ids.tolist(), values.tolist(), strict=True)}
        words = found.sentence(i)
        for model in models.further:
            assert row.get(model.feature, 0.0) == pytest.approx(model.score(words), abs=1e-4)
        assert row["LanguageModel"] == pytest.approx(lm.score(words), abs=1e-4)
        total = sum(ALL_WEIGHTS[name] * value for name, value in row.items())
        assert total == pytest.approx(found.scores[i], abs=1e-9)
        assert graph.derivation(found, i).total() == pytest.approx(found.scores[i], abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(problems, choices)
def test_expected_features_are_the_gradient_of_the_log_partition_function(lm, trained, problem, choice):
    (rules, sentence), models = problem, models_of(lm, trained, *choice)
    graph = decode(models, rules, sentence, pop_limit=40)
    ids, values = graph.expected_features()
    expected = dict(zip(ids.tolist(), values.tolist(), strict=True))
    step = 1e-5
    for name in FURTHER:
        up, down = ({**ALL_WEIGHTS, name: ALL_WEIGHTS[name] + sign * step} for sign in (1, -1))
        inside = [graph.rescore(Weights.from_dict(w, graph.index)).inside()[-1] for w in (up, down)]
        assert (inside[0] - inside[1]) / (2 * step) == pytest.approx(
            expected[graph.index.find(name)], abs=1e-4
        )


def test_expected_bleu_has_a_gradient_for_every_model(lm, trained):
    models = models_of(lm, trained, (2, 2), CLASSES[0])
    graph = decode(models, RULES, ["a", "b", "a", "b"], pop_limit=0)
    references = References([["x", "z", "y", "z"]])
    _, ids, values = expected_linear_bleu(graph, references)
    slopes = {graph.index.name(id_): value for id_, value in zip(ids.tolist(), values.tolist(), strict=True)}
    for name in FURTHER:
        sides = []
        for step in (1e-4, -1e-4):
            weights = Weights.from_dict({**ALL_WEIGHTS, name: ALL_WEIGHTS[name] + step}, graph.index)
            sides.append(expected_linear_bleu(graph.rescore(weights), references)[0])
        assert slopes[name] == pytest.approx((sides[0] - sides[1]) / 2e-4, rel=1e-3, abs=1e-6)


def test_rescoring_equals_decoding_with_the_other_weights(lm, trained):
    models = models_of(lm, trained, (4, 2), CLASSES[0])
    other = {**ALL_WEIGHTS, "Classes": -0.3, "More": 0.9}
    graph = decode(models, RULES, list("aabab"), pop_limit=0)
    rescored = graph.rescore(Weights.from_dict(other, graph.index)).kbest(50)
    decoder = Decoder(models, Weights.from_dict(other), options=DecodeOptions(pop_limit=0))
    decoded = decoder.decode(list("aabab"), grammar=grammar_of(RULES)).kbest(50)
    assert rescored.scores == pytest.approx(decoded.scores, abs=1e-6)


def listed(graph: Hypergraph) -> list[object]:
    found = graph.kbest(50)
    rows = [dict(zip(*(array.tolist() for array in found.row(i)), strict=True)) for i in range(len(found))]
    named = [{graph.index.name(id_): value for id_, value in row.items()} for row in rows]
    return [list(found.sentences()), found.scores.tolist(), named]


def test_files_and_packed_bytes_keep_all_models(lm, trained, tmp_path: Path):
    models = models_of(lm, trained, (4, 2), CLASSES[0])
    decoder = Decoder(models, Weights.from_dict(ALL_WEIGHTS), grammar_of(RULES))
    graph = decoder.decode(list("abbab"))
    graph.save(tmp_path / "graph")
    loaded = Hypergraph.load(tmp_path / "graph")
    assert listed(loaded) == listed(graph) == listed(decoder.unpack(graph.pack(), list("abbab")))
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "graph").read_bytes()
    plain = graph.to_json()
    assert plain["further_models"] == list(FURTHER)
    weights = [WEIGHTS["LanguageModel"], *FURTHER.values()]
    for edge in plain["edges"]:
        features = plain["rules"][edge["rule"]]["features"]
        assert not set(features) & {"LanguageModel", *FURTHER}
        values = [edge["lm"], *edge["further_lm"]]
        total = sum(ALL_WEIGHTS[name] * value for name, value in features.items())
        assert total + float(np.dot(weights, values)) == pytest.approx(edge["score"], abs=1e-9)


def test_one_model_is_as_it_was(lm, trained):
    """In a list of its own or not: the same bytes, without a trace of other models."""
    grammar, weights = grammar_of(RULES), Weights.from_dict(WEIGHTS)
    alone, listed_one = (Decoder(each, weights, grammar) for each in (lm, LanguageModels(lm)))
    graphs = [decoder.decode(list("abbab")) for decoder in (alone, listed_one)]
    assert graphs[0].pack() == graphs[1].pack() and listed(graphs[0]) == listed(graphs[1])
    assert "further_models" not in graphs[0].to_json() and "further_lm" not in graphs[0].to_json()["edges"][0]
    models = models_of(lm, trained, (4, 2), CLASSES[0])
    assert len(Decoder(models, weights, grammar).decode(list("abbab")).pack()) > len(graphs[0].pack())


def test_prescribed_words_are_read_by_all_models(lm, trained):
    models = models_of(lm, trained, (4, 2), CLASSES[0])
    decoder = Decoder(models, Weights.from_dict(ALL_WEIGHTS), grammar_of(RULES))
    graph = decoder.decode(list("aba"), constraints=[SpanConstraint(1, 2, "z y q")])
    found = graph.kbest(10)
    for i in range(len(found)):
        words = found.sentence(i)
        assert " z y q " in f" {' '.join(words)} "
        ids, values = found.row(i)
        row = {graph.index.name(id_): value for id_, value in zip(ids.tolist(), values.tolist(), strict=True)}
        for model in models.further:
            assert row[model.feature] == pytest.approx(model.score(words), abs=1e-4)


def test_the_number_of_threads_changes_nothing(lm, trained):
    models = models_of(lm, trained, (4, 2), CLASSES[1])
    sentences = [" ".join(f"{i:06b}".replace("0", "a").replace("1", "b")) for i in range(64)]
    results = []
    for threads in (1, 3):
        decoder = Decoder(models, Weights.from_dict(ALL_WEIGHTS), grammar_of(RULES))
        lists = decoder.kbest(sentences, 10, threads=threads)
        results.append([(list(k.sentences()), k.scores.tolist(), k.values.tolist()) for k in lists])
    assert results[0] == results[1]


def test_words_of_rules_that_the_whole_text_has_are_not_unknown(tmp_path: Path):
    """A model of a part of the text lacks words of rules from the rest of it; copied words are new text."""
    for name, text in (("whole", "x y\ny z\n"), ("lm", "x y\n")):
        (tmp_path / name).write_text(text)
        train([tmp_path / name], LmOptions(order=2), tmp_path / f"{name}.bin", threads=1)
    whole = LanguageModels(LanguageModel.load(tmp_path / "whole.bin"))
    part = whole.retrained(tmp_path)
    grammar = grammar_of([PlainRule(("a",), ("z",), {"P": 1.0}), PlainRule(("b",), ("q",), {"P": 1.0})])
    weights = Weights.from_dict({"P": 9.0, "LanguageModel_OOV": 0.5})
    for models, expected in ((whole, "b"), (part, "bz"), (LanguageModels(part.words), "abz")):
        lists = Decoder(models, weights, grammar).kbest(["a", "b", "z"], 1, threads=1)
        texts = [found.to_text(number) for number, found in enumerate(lists)]
        unknown = [" LanguageModel_OOV=1" in text for text in texts]
        assert unknown == [word in expected for word in "abz"]
