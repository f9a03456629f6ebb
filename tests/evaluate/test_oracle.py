"""Oracle derivations against brute-force enumeration."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from decode.brute_force import derivations
from decode.toys import ENOUGH, grammar_of, problems
from demotic.base.errors import DemoticError
from demotic.decode import Decoder
from demotic.evaluate import BLEU, PseudoDocument, References, oracle, sentence_metric
from demotic.features import Weights
from demotic.grammar import read_grammar, read_segments
from demotic.lm import LanguageModel

from . import slow_metrics
from .lists import exhaustive, graph_of, uniform_lm

WEIGHTS = {"A": -0.7, "B": 0.4, "Glue": -0.2, "WordPenalty": 0.3, "PassThrough": -0.5}
FORMULAS = {"liang": slow_metrics.liang, "bleu+1": slow_metrics.bleu_plus_one, "nakov": slow_metrics.nakov}
references = st.lists(st.lists(st.sampled_from("xyza"), min_size=1, max_size=6), min_size=1, max_size=2)


@settings(max_examples=60, deadline=None)
@given(problems, references, st.sampled_from(list(FORMULAS)))
def test_a_beam_that_holds_everything_is_exact(problem, refs, name):
    rules, sentence = problem
    strings = set()
    for derivation in derivations(sentence, rules):
        strings.add(derivation.words)
        assume(len(strings) <= ENOUGH)
    best = max(FORMULAS[name](slow_metrics.statistics(words, refs)) for words in strings)
    found = oracle(exhaustive(rules, sentence, WEIGHTS), References(refs), name, beam=0)
    assert len(found) == 1
    assert FORMULAS[name](slow_metrics.statistics(found.sentence(0), refs)) == pytest.approx(best)


@settings(max_examples=60, deadline=None)
@given(problems, references)
def test_of_equally_good_ones_the_model_chooses(problem, refs):
    graph, prepared, metric = exhaustive(*problem, WEIGHTS), References(refs), sentence_metric("bleu+1")
    everything = graph.kbest(ENOUGH + 1)
    assume(len(everything) <= ENOUGH)
    scores = metric.scores(prepared, everything)
    found = oracle(graph, prepared, metric, beam=0)
    assert metric.scores(prepared, found)[0] == pytest.approx(scores.max())
    # The same matches, not just a score that rounding alone tells apart.
    equal = (BLEU.statistics(prepared, everything) == BLEU.statistics(prepared, found)).all(axis=1)
    assert found.scores[0] == pytest.approx(everything.scores[equal].max(), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(problems, references, st.integers(1, 5))
def test_any_beam_gives_a_derivation_of_the_graph(problem, refs, beam):
    graph = exhaustive(*problem, WEIGHTS)
    found = oracle(graph, References(refs), beam=beam)
    tree = graph.derivation(found)
    assert tree.words() == found.sentence(0)
    assert tree.total() == pytest.approx(found.scores[0], abs=1e-9)
    exact = oracle(graph, References(refs), beam=0)
    metric = sentence_metric("bleu+1")
    assert metric.scores(References(refs), found)[0] <= metric.scores(References(refs), exact)[0] + 1e-12


def test_the_reference_is_found_behind_the_first_of_many():
    rules = "".join(
        f"[X] ||| {source} ||| {target} ||| Rank={rank} |||\n"
        for source in "abcd"
        for rank, target in enumerate([f"{source}{i}" for i in range(20)])
    )
    graph = graph_of(rules, "a b c d")
    found = oracle(graph, References([["a17", "b3", "c11", "d19"]]))
    assert found.sentence(0) == ["a17", "b3", "c11", "d19"]
    assert found.scores[0] == -50


def test_a_pseudo_document_is_taken_into_account():
    """Short of words so far, the document wants the longer translation; with words to spare, the more precise one."""
    rules = "[X] ||| a ||| x y z ||| Rank=0 |||\n[X] ||| a ||| x y z q q ||| Rank=0 |||\n"
    prepared, graph = References([["x", "y", "z", "w", "w"]]), graph_of(rules, "a")
    short, long = PseudoDocument(), PseudoDocument()
    short.document = np.array([20.0, 18, 16, 14, 20, 18, 16, 14, 20, 60])
    long.document = np.array([20.0, 18, 16, 14, 60, 58, 56, 54, 60, 20])
    assert oracle(graph, prepared, short).sentence(0) == ["x", "y", "z", "q", "q"]
    assert oracle(graph, prepared, long).sentence(0) == ["x", "y", "z"]


def test_wrong_arguments_are_named():
    graph, prepared = graph_of("[X] ||| a ||| b ||| |||\n", "a"), References([["b"]])
    with pytest.raises(DemoticError, match="form of BLEU \\(got wer\\)"):
        oracle(graph, prepared, "wer")
    with pytest.raises(DemoticError, match="beam must be at least 0"):
        oracle(graph, prepared, beam=-1)


def test_an_empty_sentence_has_an_empty_oracle():
    decoder = Decoder(uniform_lm(), Weights.from_dict(WEIGHTS))
    graph = decoder.decode("", grammar=grammar_of([]))
    assert oracle(graph, References([["a"]])).sentence(0) == []


def test_better_than_the_best_of_a_hundred_on_real_sentences(golden: Path, tmp_path: Path):
    arpa = tmp_path / "lm3.arpa"
    arpa.write_bytes(lzma.decompress((golden / "lm3.arpa.xz").read_bytes()))
    decoder = Decoder(LanguageModel.load(arpa), Weights.load(golden / "weights.txt"))
    metric = sentence_metric("bleu+1")
    for segment in list(read_segments(golden / "exact.sgm"))[:5]:
        graph = decoder.decode(segment.sentence, grammar=read_grammar(segment.grammar))
        listed = graph.kbest(500, unique=True)
        wanted = References([listed.sentence(len(listed) // 2)])  # within reach, and not the model's choice
        assert metric.scores(wanted, oracle(graph, wanted))[0] == pytest.approx(1.0)
