"""A report made by hand that has every part, with hostile text wherever text can stand."""

from __future__ import annotations

import numpy as np

from demotic.decode import FeaturePart
from demotic.evaluate import Comparison, SystemResult
from demotic.report import (
    ExamplePart,
    FeatureGroup,
    FigurePart,
    Report,
    RuleNode,
    Section,
    SystemOutput,
    SystemPart,
    Table,
    TestSet,
)
from demotic.report.figures import new_axes, plain
from demotic.report.weight_plot import WeightCurve

LOW = np.array([0.0, 1.0, 2.0, 4.0])
HOSTILE = "</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">'&<!--$x_$\x00\ud800"


def derivation() -> RuleNode:
    leaf = RuleNode("translation", ["haus", HOSTILE], ["house"], ["haus"], [FeaturePart("Glue", 2.0, -0.5)])
    word = RuleNode("pass-through", [","], [","], [","], [FeaturePart("PassThrough", 1.0, -1.25)])
    rule = RuleNode(
        "translation",
        ["das", 1, 2],
        ["the", 2, 1],
        ["das", "haus", ","],
        [FeaturePart("id:das_[1]_[2]|the_[2]_[1]", 1.0, 0.75), FeaturePart(HOSTILE, 1.0, 0.5)],
        [leaf, word],
    )
    start = RuleNode("glue-start", [1], [1], ["das", "haus", ","], [], [rule])
    end = RuleNode("translation", ["."], ["."], ["."], [FeaturePart("WordPenalty", -0.434, 0.1)])
    glue = RuleNode(
        "glue", [1, 2], [1, 2], ["das", "haus", ",", "."], [FeaturePart("Glue", 1.0, -0.5)], [start, end]
    )
    return RuleNode(
        "goal", [1], [1], ["das", "haus", ",", "."], [FeaturePart("LanguageModel", -3.0, 0.2)], [glue]
    )


def example(line: int) -> ExamplePart:
    gain = (37 * line) % 101 - 50
    outputs = {
        "MERT": SystemOutput(f"the house {line} .", 50.0, derivation()),
        HOSTILE: SystemOutput(f"a house {line} {HOSTILE} .", 50.0 + gain, derivation()),
    }
    return ExamplePart(line, f"das Haus {line} {HOSTILE} .", ["the house .", HOSTILE], outputs)


def system(name: str, sparse: bool) -> SystemPart:
    weights = {"LanguageModel": 0.2, "Glue": -0.5}
    if sparse:
        weights |= {f"id:w{i}|v{i}": (i - 20) / 10 for i in range(60) if i != 20} | {f"id:{HOSTILE}|": 1.0}
    history = [
        {"epoch": t, "bleu": 20.0 + t, "kept_features": 10**t, "decode_seconds": 3.0, "learn_seconds": t / 2}
        for t in (1, 2, 3)
    ]
    return SystemPart(
        name,
        "itersel" if sparse else "mert",
        history,
        2,
        weights,
        {"Glue": 7},
        bins=[WeightCurve.of("CountEF", LOW, LOW + 0.5, np.array([-0.5, 0.1, 0.2, 0.3]))] if sparse else [],
        groups=[FeatureGroup(0.1 * i, [f"id:a{j}|b" for j in range(i)]) for i in range(1, 9)]
        if sparse
        else [],
    )


def draw():
    figure, axes = new_axes()
    axes.plot([1, 2], [3, 4], label=plain(HOSTILE))
    axes.legend()
    return figure


def sample_report(examples: int = 40, shown: int = 24) -> Report:
    comparison = Comparison(
        "bleu",
        "BLEU",
        True,
        "nrefs:1",
        examples,
        2,
        1000,
        1,
        (
            SystemResult("MERT", (27.0, 27.4), 27.2, 0.28, 0.9, interval=(25.4, 29.0)),
            SystemResult(HOSTILE, (29.1,), 29.1, None, 0.9, 0.003, 0.004, (27.3, 31.0)),
        ),
    )
    table = Table(
        f"Table 3 {HOSTILE}",
        ["system", "dev", "test", "note"],
        [["a", "9.5*", 1200, HOSTILE], ["b", "10.25", 30, "y"], ["c", "–", 4, None]],
        note=HOSTILE,
        spans=[("", 1), ("BLEU", 2), ("", 1)],
        rules=[2],
    )
    own = Section("As in the paper", [HOSTILE], [table], [FigurePart("own", HOSTILE, HOSTILE, draw)])
    return Report(
        f"A report {HOSTILE}",
        ["What was done."],
        [own],
        [TestSet("news", comparison, [example(i) for i in range(1, examples + 1)], [HOSTILE])],
        [system("MERT", False), system(HOSTILE, True)],
        [Table("Corpus", ["", "source", "target"], [["pairs", 4000, 4000], ["words", 41951, 40101]])],
        {"seed": 1, "prepare": {"tokenized": False, "links": ["s", HOSTILE]}},
        [HOSTILE],
        ("de", "en"),
        shown,
    )
