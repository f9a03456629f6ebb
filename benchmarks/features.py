"""Sparse features: time per rule on the golden grammars, with indexes of different sizes; what a feature and a weight cost."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import measure
from demotic.cli.common import table
from demotic.features import FeatureIndex, TemplateSet, Weights, template
from demotic.grammar import Grammar, Rule, read_grammar

SETS = (
    ["id"],
    ["ngram"],
    ["shape"],
    ["id", "ngram", "shape"],
    ["tgt_ngram", "tgt_gap"],
    ["length", "count_bin"],
    ["word_pair"],
    ["bench_last_words"],  # in Python: the second time, from the cache
)
OTHERS = 5_000_000  # features of other sentences in the large index
REPEATS = 7

Row = tuple[Any, ...]


def run(unit: float) -> None:
    """Print the tables."""
    del unit  # no peer to compare with: cdec computes these features once per hyperedge
    console = Console()
    columns = [
        "templates",
        "features per rule",
        "all new",
        "all known",
        f"among {OTHERS // 1_000_000} M",
        "bytes per rule",
    ]
    console.print(
        table("Nanoseconds of CPU per rule, golden grammars", columns, measure.in_process(_per_rule).result)
    )
    columns = ["features", "bytes each", "ns intern", "ns find", "text s", "load s", "binary s", "load s"]
    console.print(
        table(
            "Index and weights", columns, [measure.in_process(_index, n).result for n in (100_000, 1_000_000)]
        )
    )


@template("bench_last_words")
def last_words(rule: Rule) -> str:
    """The last symbols of both sides."""
    return f"{rule.source[-1]} {rule.target[-1:]}"


def _per_rule() -> list[Row]:
    grammars = [read_grammar(path) for path in sorted((measure.shared() / "golden" / "exact").glob("*.gz"))]
    rules = sum(map(len, grammars))
    large = FeatureIndex()
    for i in range(OTHERS):
        large.intern(f"id:another_{i}_rule|of_some_words")
    rows = []
    for names in SETS:
        templates, known = TemplateSet(names), FeatureIndex()
        entries = size = 0
        for grammar in grammars:
            found = templates.rule_features(grammar, FeatureIndex())
            entries, size = entries + len(found.values), size + found.bytes
            for i in range(found.locals):
                found.intern_local(i, known)
                found.intern_local(i, large)
        times = [
            round(_nanoseconds(templates, grammars, index) / rules)
            for index in (FeatureIndex(), known, large)
        ]
        rows.append((",".join(names), round(entries / rules, 1), *times, round(size / rules)))
    return rows


def _nanoseconds(templates: TemplateSet, grammars: list[Grammar], index: FeatureIndex) -> int:
    """CPU time of the best of some runs: others use this machine too."""

    def once() -> int:
        started = time.process_time_ns()
        for grammar in grammars:
            templates.rule_features(grammar, index)
        return time.process_time_ns() - started

    return min(once() for _ in range(REPEATS))


def _index(features: int) -> Row:
    names = [f"id:[1]_rule_{i}|[1]_of_average_length" for i in range(features)]
    index = FeatureIndex()
    interning = _seconds(lambda: [*map(index.intern, names)])
    finding = _seconds(lambda: [*map(index.find, names)])
    weights = Weights(index)
    weights.values += 0.1
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for file in ("weights.txt", "weights.bin"):
            path = Path(folder) / file
            times += [_seconds(lambda: weights.save(path)), _seconds(lambda: Weights.load(path))]  # noqa: B023
    nanoseconds = [round(seconds / features * 1e9) for seconds in (interning, finding)]
    return (
        f"{features:,}",
        round(index.bytes / features, 1),
        *nanoseconds,
        *(round(value, 2) for value in times),
    )


def _seconds(function: Any) -> float:
    started = time.process_time()
    function()
    return time.process_time() - started
