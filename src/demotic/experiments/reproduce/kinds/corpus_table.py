"""Sizes of the corpora: table 1 of Simianer, Riezler and Dyer (2012) and its like.

`figure.layout`: `sets` has a column for each set and a row for each figure; `figures` a row for each set of each language pair; `pairs`
a column for each language pair and a row for each set.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.progress import Progress
from demotic.base.run import Run
from demotic.decode import TranslationModel
from demotic.experiments.reproduce.context import Context
from demotic.experiments.reproduce.data import Data, DataSet
from demotic.experiments.reproduce.experiment import Row
from demotic.experiments.reproduce.layout import Cell, Heading, PaperTable
from demotic.experiments.reproduce.result import Result
from demotic.experiments.reproduce.scores import Scores
from demotic.experiments.reproduce.workspace import model_key
from demotic.learn import Example, read_examples, training_examples

_TRAIN = "train"


@dataclass(frozen=True)
class SetSizes:
    """Of one set in one language pair.

    Attributes:
        sentences: lines.
        source_tokens: as the model sees them.
        target_tokens: of the first reference.
        rules: distinct ones that apply to its sentences; those of training sentences without the sentence itself.
        all_rules: of all sentences together, repeated ones too.
        rule_sentences: that rules were extracted for: all, or of the training data a sample.
    """

    sentences: int
    source_tokens: int
    target_tokens: int
    rules: int = 0
    all_rules: int = 0
    rule_sentences: int = 0


def corpus_table(context: Context, scores: Scores) -> Result:
    """Sizes of every set, in the layout that the experiment asks for."""
    figure = context.experiment.figure
    names = [_TRAIN, *(name for name in figure["sets"] if name in context.data[0].sets)]
    counts_rules = bool(figure.get("rules", False))
    sizes = {
        (number, name): _sizes(context, number, name, counts_rules)
        for number in range(len(context.data))
        for name in names
    }
    layouts = {"sets": _sets_as_columns, "figures": _figures_as_columns, "pairs": _pairs_as_columns}
    layout = str(figure.get("layout", "sets"))
    if layout not in layouts:
        raise DemoticError(
            f"unknown layout '{layout}'", f"{context.experiment.name}.toml", hint=", ".join(layouts)
        )
    table = layouts[layout](context, names, sizes)
    data = {f"{context.data[i].pair}": {} for i in range(len(context.data))}
    for (i, name), found in sizes.items():
        data[f"{context.data[i].pair}"][name] = asdict(found)
    notes = []
    sample = sizes[0, _TRAIN].rule_sentences
    if counts_rules and sample < sizes[0, _TRAIN].sentences:
        notes.append(
            f"rules of the training data: those of {sample:,} sentences drawn at random, each left out of its own grammar"
        )
    return Result(context.experiment, table, data={"corpus": data}, notes=notes)


def _sizes(context: Context, number: int, name: str, counts_rules: bool) -> SetSizes:
    """From disk if they were counted before."""
    data, folder = context.data[number], context.models[number]
    sample = context.experiment.sizes.sentences

    def work(out: Path) -> None:
        found = _count(TranslationModel(folder), data, name, sample if counts_rules else -1, context.seed)
        (out / "sizes.json").write_text(json.dumps(asdict(found)), "utf-8")

    text = data.train if name == _TRAIN else data.sets[name]
    key = {"model": model_key(folder), "rules": counts_rules, "sample": sample, "seed": context.seed}
    with Run(context.workspace.folder / "diagnostics") as run:
        stage = run.stage(f"sizes-{name}-{text.key}", work, options=key, inputs={"text": text.source})
    return SetSizes(**json.loads((stage / "sizes.json").read_text("utf-8")))


def _count(model: TranslationModel, data: Data, name: str, sample: int, seed: int) -> SetSizes:
    """Sizes of a set; with the rules of `sample` training pairs (0: all), -1: of none."""
    if name == _TRAIN:
        index = model.index.statistics()
        sizes = SetSizes(index["pairs"], index["source_tokens"], index["target_tokens"])
        examples = training_examples(model, min(sample, len(model.index)), seed) if sample >= 0 else []
    else:
        examples = _examples(model, data.sets[name])
        tokens = [sum(len(side.split()) for side in sides) for sides in _sides(examples)]
        sizes = SetSizes(len(examples), *tokens)
    if sample < 0:
        return sizes
    rules, total = _count_rules(model, examples, f"rules {name}")
    return SetSizes(sizes.sentences, sizes.source_tokens, sizes.target_tokens, rules, total, len(examples))


def _examples(model: TranslationModel, text: DataSet) -> list[Example]:
    return read_examples(text.source, text.references, model.preprocessor)


def _sides(examples: Sequence[Example]) -> tuple[list[str], list[str]]:
    return [each.source for each in examples], [each.references[0] for each in examples]


def _count_rules(model: TranslationModel, examples: Sequence[Example], what: str) -> tuple[int, int]:
    """Distinct rules, by a hash of 64 bits each, and all rules."""
    distinct: set[int] = set()
    total = 0
    with Progress(what, total=len(examples), unit="sentences") as bar:
        for example in examples:
            grammar = model.index.grammar(example.source, example.number)
            distinct.update(hash((source, target)) for source, target, _ in grammar.native.rules())
            total += len(grammar)
            bar.advance()
    return len(distinct), total


Sizes = dict[tuple[int, str], SetSizes]


def _sets_as_columns(context: Context, names: Sequence[str], sizes: Sizes) -> PaperTable:
    """Simianer et al.: a row for sentences, tokens and rules."""
    pair = context.data[0].pair
    figures = {
        "Sentences": lambda size: f"{size.sentences:,}",
        f"Tokens {pair.source}": lambda size: f"{size.source_tokens:,}",
        f"Tokens {pair.target}": lambda size: f"{size.target_tokens:,}",
        "Rule Count": lambda size: f"{size.rules:,} ({size.all_rules:,})" if size.rules else "–",
    }
    own = [
        [Cell(figure), *(Cell(show(sizes[0, name])) for name in names)] for figure, show in figures.items()
    ]
    published = [_published(row, names) for row in context.experiment.rows]
    return PaperTable([Heading(""), *map(Heading, names)], [*own, *published])


def _published(row: Row, names: Sequence[str]) -> list[Cell]:
    """A row of the paper's table, which has nothing to do with ours but the layout."""
    label = " ".join(row.labels.values())
    return [Cell(f"paper: {label}"), *(Cell(row.published.get(name, "–")) for name in names)]


def _figures_as_columns(context: Context, names: Sequence[str], sizes: Sizes) -> PaperTable:
    """Flanigan et al.: sentences, source and target tokens."""
    rows = []
    for number, data in enumerate(context.data):
        for i, name in enumerate(names):
            size = sizes[number, name]
            figures = (size.sentences, size.source_tokens, size.target_tokens)
            rows.append(
                [
                    Cell(str(data.pair) if i == 0 else ""),
                    Cell(name),
                    *(Cell(f"{value:,}") for value in figures),
                ]
            )
    titles = ("Sentences", "Tokens Source", "Tokens Target")
    for row in context.experiment.rows:
        figures = (row.published.get(title, "") for title in titles)
        labels = [row.labels.get(title, "") for title in ("Language", "Corpus")]
        rows.append([Cell(f"paper: {labels[0]}"), Cell(labels[1]), *map(Cell, figures)])
    return PaperTable([Heading(title) for title in ("Language", "Corpus", *titles)], rows)


def _pairs_as_columns(context: Context, names: Sequence[str], sizes: Sizes) -> PaperTable:
    """Clark et al.: sentences only."""
    headings = [Heading(""), *(Heading(str(data.pair)) for data in context.data)]
    published = list(dict.fromkeys(title for row in context.experiment.rows for title in row.published))
    headings += [Heading(title, is_published=True) for title in published]
    own_names = {row.id: row.labels.get("", row.id) for row in context.experiment.rows}
    by_id = {row.id: row for row in context.experiment.rows}
    rows = []
    for name in names:
        cells = [Cell(own_names.get(name, name))]
        cells += [Cell(f"{sizes[number, name].sentences:,}") for number in range(len(context.data))]
        row = by_id.get(name)
        cells += [Cell(row.published.get(title, "") if row else "") for title in published]
        rows.append(cells)
    return PaperTable(headings, rows)
