"""Bins inside the decoder: the worked examples of Clark, Dyer and Lavie (2014)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from demotic._core import input_values
from demotic.base import DemoticError
from demotic.decode import Decoder
from demotic.features import Bins, DiscretizeOptions, FeatureBins, TemplateSet, Weights
from demotic.features.discretization import Histogram, discretization, inputs_of
from demotic.grammar import parse_grammar
from demotic.lm import LanguageModel
from features.slow_bins import bin_of

Phrases = list[dict[str, float]]


def rules_text(phrases: Phrases, more: tuple[str, ...] = ()) -> str:
    """A grammar with one rule for each phrase: s0 -> t0, s1 -> t1, ..., with these features and perhaps more that are 0."""
    columns = sorted({*more, *(name for phrase in phrases for name in phrase)})
    return "".join(
        f"[X] ||| s{i} ||| t{i} ||| {' '.join(f'{name}={phrase.get(name, 0)}' for name in columns)} ||| 0-0\n"
        for i, phrase in enumerate(phrases)
    )


def features_of(phrases: Phrases, bins: Bins | None, lm: LanguageModel) -> dict[str, float]:
    """H: the features of the only derivation that has all phrases in a row, glued together."""
    decoder = Decoder(
        lm, Weights.from_dict({"PassThrough": -100.0}), templates=bins and TemplateSet([], bins)
    )
    graph = decoder.decode(
        [f"s{i}" for i in range(len(phrases))],
        grammar=parse_grammar(rules_text(phrases, bins.left_out if bins else ())),
    )
    best = graph.viterbi()
    names = [decoder.weights.index.name(int(i)) for i in best.features]
    found = dict(zip(names, best.values.tolist(), strict=True))
    decoder_features = ("Glue", "WordPenalty", "LanguageModel", "LanguageModel_OOV", "PassThrough")
    return {name: value for name, value in found.items() if name not in decoder_features}


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    file = tmp_path_factory.mktemp("lm") / "lm.arpa"
    file.write_text("\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\n-1\t</s>\n\n\\end\\\n")
    return LanguageModel.load(file)


def one_bin_per_value(features: dict[str, list[float]], overlap: bool = False) -> Bins:
    binned = tuple(FeatureBins(name, tuple(values), tuple(values)) for name, values in features.items())
    return Bins(binned, left_out=tuple(features), overlap=overlap)


def test_figure_3(lm: LanguageModel):
    """Three phrases; local indicators are summed up over the derivation."""
    phrases = [{"TM": 0.1, "Count": 2}, {"TM": 0.1}, {"TM": 0.2}]
    bins = one_bin_per_value({"TM": [0.1, 0.2], "Count": [0.0, 2.0]})
    found = features_of(phrases, bins, lm)
    assert {name: value for name, value in found.items() if name != "bin:Count_0"} == {
        "bin:TM_0.1": 2,
        "bin:TM_0.2": 1,
        "bin:Count_2": 1,
    }


def test_features_that_are_left_out_are_neither_scored_nor_learnt(lm: LanguageModel):
    bins = one_bin_per_value({"TM": [0.1, 0.2]})
    weights = Weights.from_dict({"TM": 1e6, "bin:TM_0.2": 3.0, "PassThrough": -100.0})
    decoder = Decoder(lm, weights, templates=TemplateSet([], bins))
    graph = decoder.decode("s0", grammar=parse_grammar(rules_text([{"TM": 0.2}])))
    assert graph.viterbi().scores[0] == pytest.approx(3.0)
    assert graph.rescore(weights).viterbi().scores[0] == pytest.approx(3.0)
    assert "TM" not in {weights.index.name(int(i)) for i in graph.viterbi().features}


def test_overlapping_bins(lm: LanguageModel):
    bins = one_bin_per_value({"TM": [1.0, 2.0, 3.0, 4.0]}, overlap=True)
    assert features_of([{"TM": 1.0}], bins, lm) == {"bin:TM_1": 1, "bin:TM_2": 1}
    assert features_of([{"TM": 2.0}, {"TM": 3.0}], bins, lm) == {
        "bin:TM_1": 1,
        "bin:TM_2": 2,
        "bin:TM_3": 2,
        "bin:TM_4": 1,
    }


def test_the_core_and_python_agree_on_bins():
    """Seen or not, at the edges and beyond, as 32-bit numbers."""
    rng = np.random.default_rng(2)
    seen = rng.lognormal(size=200).astype(np.float32)
    bins = FeatureBins.from_values("TM", seen, 16)
    asked = np.concatenate([seen, rng.lognormal(size=200), bins.boundaries, [-5, 0, 1e9]]).astype(np.float32)
    grammar = parse_grammar(rules_text([{"TM": repr(float(value))} for value in asked]))  # type: ignore[dict-item]
    held = input_values(grammar.native, ["TM"])[:, 0]
    fired = list(TemplateSet([], Bins((bins,), left_out=("TM",))).vectors(grammar))
    assert fired == [{bins.names[bin_of(bins, value)]: 1.0} for value in held]
    assert {name for row in fired for name in row} == set(bins.names)


def is_separable(differences: list[dict[str, float]]) -> bool:
    """Whether some weights put every better hypothesis before its worse one: a linear program."""
    names = sorted({name for row in differences for name in row})
    rows = np.array([[row.get(name, 0.0) for name in names] for row in differences])
    found = linprog(np.zeros(len(names)), A_ub=-rows, b_ub=-np.ones(len(rows)), bounds=(None, None))
    return found.status == 0


def values(name: str, *numbers: float) -> Phrases:
    return [{name: number} for number in numbers]


FIGURES: dict[str, list[tuple[Phrases, Phrases]]] = {
    "4": [(values("H", 1, 1), values("H", 2, 2)), (values("H", 3, 3), values("H", 2, 2))],
    "5": [(values("H", 2, 2), values("H", 4))],
    "6": [
        (values("B", 1), values("A", 1, 1)),
        ([*values("A", 1, 1), *values("B", 1)], values("A", 0)),
        (values("B", -4, 1, 1, 1), values("A", 1)),
        ([*values("B", -4), *values("A", 1)], values("B", 1, 1)),
    ],
}


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_4_to_6(figure: str, lm: LanguageModel):
    """Inseparable for a linear model, separable with local bins. A value of 0 is no feature there: its bin is left out."""
    pairs = FIGURES[figure]
    seen: dict[str, set[float]] = {}
    for pair in pairs:
        for phrase in (*pair[0], *pair[1]):
            for name, value in phrase.items():
                seen.setdefault(name, set()).add(value)
    bins = one_bin_per_value({name: sorted(found | {0.0}) for name, found in seen.items()})
    for transform, separable in ((None, False), (bins, True)):
        differences = []
        for better, worse in pairs:
            good, bad = features_of(better, transform, lm), features_of(worse, transform, lm)
            names = {name for name in (*good, *bad) if not name.endswith("_0")}
            differences.append({name: good.get(name, 0.0) - bad.get(name, 0.0) for name in names})
        assert is_separable(differences) is separable


def test_rules_from_a_file_have_no_counts():
    grammar = parse_grammar(rules_text(values("TM", 1)))
    assert input_values(grammar.native, ["TM", "WordCount"]).tolist() == [[1.0, 1.0]]
    with pytest.raises(DemoticError, match="no feature 'CountFE'"):
        input_values(grammar.native, ["CountFE"])


CLARK = ("LexEgivenF", "LexFgivenE", "EgivenFCoherent")


def test_inputs_of_table_3():
    def names(dense: tuple[str, ...], **options: object) -> list[str]:
        return [each.name for each in inputs_of(dense, DiscretizeOptions(**options))]  # type: ignore[arg-type]

    assert names(CLARK) == ["ProbLexEgivenF", "ProbLexFgivenE", "ProbEgivenF", "WordCount"]
    assert names(CLARK, input="logp") == [*CLARK, "WordCount"]
    assert names(CLARK, input="counts") == [
        "ProbLexEgivenF",
        "ProbLexFgivenE",
        "CountF",
        "CountFE",
        "WordCount",
    ]
    assert names(CLARK, bits=0) == ["ProbLexEgivenF", "ProbLexFgivenE", "ProbEgivenF"]
    cdec = ("EgivenFCoherent", "SampleCountF", "CountEF", "IsSingletonF")
    assert names(cdec, input="counts") == ["CountF", "CountFE", "IsSingletonF", "WordCount"]


def test_bins_begin_with_what_the_linear_model_says():
    """-log10 c(s,t)/c(s) is recovered from bins of the two counts, exactly if every count has a bin."""
    options = DiscretizeOptions(bits=4, input="counts")
    inputs = inputs_of(("EgivenFCoherent", "PhrasePenalty"), options)
    counts = np.arange(1, 11, dtype=np.float32)
    seen = {name: Histogram.from_values(counts) for name in ("CountF", "CountFE", "WordCount")}
    seen["PhrasePenalty"] = Histogram.from_values(np.ones(5, dtype=np.float32))
    weights = {"EgivenFCoherent": -0.5, "PhrasePenalty": 0.2, "LanguageModel": 1.0}
    found = discretization(inputs, seen, weights, options)
    assert found.bins.left_out == ("EgivenFCoherent",) and "EgivenFCoherent" not in found.weights
    assert (found.weights["LanguageModel"], found.weights["PhrasePenalty"]) == (1.0, 0.2)
    for f, e in ((10, 1), (4, 4), (7, 2)):
        both = found.weights[f"bin:CountF_{f}"] + found.weights[f"bin:CountFE_{e}"]
        assert both == pytest.approx(-0.5 * -np.log10(e / f))
    assert any("PhrasePenalty is always 1" in remark for remark in found.remarks)
    assert any("CountF has 10 values: a bin for each instead of 16" in remark for remark in found.remarks)
    zero = discretization(inputs, seen, weights, DiscretizeOptions(bits=4, input="counts", start="zero"))
    assert zero.weights == {"LanguageModel": 1.0, "PhrasePenalty": 0.2}


def test_without_bins_the_inputs_are_real_valued():
    options = DiscretizeOptions(bits=0)
    inputs = inputs_of(("EgivenFCoherent", "IsSingletonF"), options)
    p = np.array([0.1, 0.2, 0.2, 0.9], dtype=np.float32)
    seen = {
        "ProbEgivenF": Histogram.from_values(p),
        "IsSingletonF": Histogram.from_values(np.array([0, 1], dtype=np.float32)),
    }
    found = discretization(inputs, seen, {"EgivenFCoherent": -1.0, "IsSingletonF": 0.3}, options)
    assert (found.bins.features, found.bins.real, found.bins.left_out) == (
        (),
        ("ProbEgivenF",),
        ("EgivenFCoherent",),
    )
    assert found.weights["ProbEgivenF"] == pytest.approx(np.polyfit(p, np.log10(p), 1)[0], rel=1e-5)
    assert found.weights["IsSingletonF"] == 0.3


@pytest.mark.parametrize(
    "options", [{"bits": -1}, {"bits": 17}, {"bits": 0, "overlap": True}, {"bits": 0, "input": "logp"}]
)
def test_bad_options(options: dict[str, object]):
    with pytest.raises(DemoticError):
        DiscretizeOptions(**options)  # type: ignore[arg-type]
