"""Forced decoding: how many training sentences have a derivation that yields their reference, and what it costs to find it."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import measure
from benchmarks.learn import model
from demotic.cli.common import table
from demotic.decode import TranslationModel
from demotic.learn import forced_violation, max_violation, training_examples

_SENTENCES, _TEMPLATES = 300, ("id",)


def run(unit: float) -> None:
    """Print the table: a parse of source and reference beside the hypergraph that search left over."""
    del unit  # milliseconds only
    found = measure.in_process(reached, model()).result
    rows = [(name, *(f"{value:.1f}" for value in figures.values())) for name, figures in found.items()]
    columns = ["derivations", *next(iter(found.values()))]
    title = f"forced decoding: {_SENTENCES} training sentences, each left out of its grammar; CPU ms a sentence, one thread"
    Console(width=140).print(table(title, columns, rows))


def reached(folder: Path, sentences: int = _SENTENCES, seed: int = 1) -> dict[str, dict[str, Any]]:
    """Shares and costs of both ways, with the weights of the model.

    Extraction of rules is in the cost of the parse, as in learning, and not in that of a look into a hypergraph that is there.
    """
    opened = TranslationModel(folder)
    decoder = opened.decoder.with_weights(opened.weights)
    decoder.templates = opened.template_set(_TEMPLATES)
    costs: dict[str, list[float]] = {"decode": [], "forest": [], "parse": [], "violation": []}
    words: dict[str, list[int]] = {"forest": [], "parse": []}
    edges, violated = [], 0
    for example in training_examples(opened, sentences, seed):
        (reference,) = example.reference_words()
        clock = [time.process_time()]
        graph = decoder.decode(example.source, exclude=example.number)
        clock.append(time.process_time())
        is_reachable, _, _ = max_violation(graph, reference)
        clock.append(time.process_time())
        forced = decoder.decode_reference(example.source, reference, exclude=example.number)
        clock.append(time.process_time())
        if forced is not None:
            violated += forced_violation(graph, forced)[0] > 0
            edges.append(forced.native.edge_count)
            words["parse"].append(len(reference))
        clock.append(time.process_time())
        if is_reachable:
            words["forest"].append(len(reference))
        for name, before, after in zip(costs, clock, clock[1:], strict=False):
            costs[name].append(1e3 * (after - before))

    def figures(name: str) -> dict[str, Any]:
        return {
            "% reachable": 100 * len(words[name]) / sentences,
            "words of their references": statistics.mean(words[name]) if words[name] else 0.0,
            "ms": statistics.mean(costs[name]),
            "ms, slowest": max(costs[name]),
        }

    print(
        f"decoding {statistics.mean(costs['decode']):.1f} ms; {statistics.mean(edges):.0f} edges of a parse (most: {max(edges)}), "
        f"{violated} of {len(edges)} violated; {statistics.mean(costs['violation']):.2f} ms to find where"
    )
    return {
        "in the hypergraph that search left": figures("forest"),
        "parse of both, nothing pruned": figures("parse"),
    }
