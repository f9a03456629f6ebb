"""Sizes of the corpora: table 1 of Simianer, Riezler and Dyer (2012) and its like.

`figure.layout`: `sets` has a column for each set and a row for each figure; `figures` a row for each set of each language pair; `pairs`
a column for each language pair and a row for each set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from demotic.base.options import unknown_name
from demotic.reproduce.context import Context
from demotic.reproduce.kinds.corpus_sizes import TRAIN, SetSizes, set_sizes
from demotic.reproduce.layout import Cell, Heading, PaperTable
from demotic.reproduce.result import Result
from demotic.reproduce.scores import Scores

Sizes = dict[tuple[int, str], SetSizes]  # by language pair, from 0, and set
_TITLES = {"select": "devtest"}


def corpus_table(context: Context, scores: Scores) -> Result:
    """Sizes of every set, in the layout that the experiment asks for."""
    figure = context.experiment.figure
    layout = str(figure.get("layout", "sets"))
    if layout not in _LAYOUTS:
        raise unknown_name("layout", layout, list(_LAYOUTS), file=f"{context.experiment.name}.toml")
    names = [TRAIN, *(name for name in figure["sets"] if name in context.data[0].sets)]
    counts_rules = bool(figure.get("rules", False))
    pairs = range(len(context.data))
    sizes = {(i, name): set_sizes(context, i, name, counts_rules) for i in pairs for name in names}
    data: dict[str, Any] = {
        str(context.data[i].pair): {name: asdict(sizes[i, name]) for name in names} for i in pairs
    }
    train = sizes[0, TRAIN]
    notes = []
    if counts_rules and train.rule_sentences < train.sentences:
        notes.append(
            f"rules of the training data: those of {train.rule_sentences:,} sentences drawn at random, each left out of its own grammar"
        )
    table = _LAYOUTS[layout](context, names, sizes)
    return Result(context.experiment, table, data={"corpus": data}, notes=notes)


def _sets_as_columns(context: Context, names: Sequence[str], sizes: Sizes) -> PaperTable:
    """Simianer et al.: a row for sentences, tokens and rules; then those of the paper."""
    pair = context.data[0].pair
    figures: dict[str, Callable[[SetSizes], str]] = {
        "Sentences": lambda size: f"{size.sentences:,}",
        f"Tokens {pair.source}": lambda size: f"{size.source_tokens:,}",
        f"Tokens {pair.target}": lambda size: f"{size.target_tokens:,}",
        "Rule Count": lambda size: f"{size.rules:,} ({size.all_rules:,})" if size.rules else "–",
    }
    rows = [[Cell(title), *(Cell(show(sizes[0, name])) for name in names)] for title, show in figures.items()]
    for row in context.experiment.rows:
        label = f"paper: {row.name()}"
        rows.append([Cell(label), *(Cell(row.published.get(name, "–")) for name in names)])
    return PaperTable([Heading(""), *(Heading(_TITLES.get(name, name)) for name in names)], rows)


def _figures_as_columns(context: Context, names: Sequence[str], sizes: Sizes) -> PaperTable:
    """Flanigan et al.: sentences, source and target tokens; then those of the paper."""
    titles = ("Sentences", "Tokens Source", "Tokens Target")
    rows = []
    for i, data in enumerate(context.data):
        for name in names:
            size = sizes[i, name]
            counts = (size.sentences, size.source_tokens, size.target_tokens)
            label = str(data.pair) if name == TRAIN else ""
            rows.append(
                [Cell(label), Cell(_TITLES.get(name, name)), *(Cell(f"{count:,}") for count in counts)]
            )
    for row in context.experiment.rows:
        labels = [
            f"paper: {row.labels['Language']}" if "Language" in row.labels else "",
            row.labels["Corpus"],
        ]
        rows.append([*map(Cell, labels), *(Cell(row.published.get(title, "")) for title in titles)])
    return PaperTable([Heading(title) for title in ("Language", "Corpus", *titles)], rows)


def _pairs_as_columns(context: Context, names: Sequence[str], sizes: Sizes) -> PaperTable:
    """Clark et al.: sentences only."""
    paper = {row.id: row for row in context.experiment.rows}
    published = list(dict.fromkeys(title for row in paper.values() for title in row.published))
    headings = [Heading(""), *(Heading(str(data.pair)) for data in context.data)]
    rows = []
    for name in names:
        own = [Cell(f"{sizes[i, name].sentences:,}") for i in range(len(context.data))]
        theirs = [Cell(paper[name].published.get(title, "")) for title in published]
        rows.append([Cell(paper[name].labels["set"]), *own, *theirs])
    return PaperTable([*headings, *(Heading(title, is_published=True) for title in published)], rows)


_LAYOUTS: dict[str, Callable[[Context, Sequence[str], Sizes], PaperTable]] = {
    "sets": _sets_as_columns,
    "figures": _figures_as_columns,
    "pairs": _pairs_as_columns,
}
