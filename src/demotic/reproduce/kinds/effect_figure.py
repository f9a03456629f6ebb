"""The effect of single weights on BLEU: figure 2 of Flanigan, Dyer and Carbonell (2013)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from demotic.base.digests import file_digest
from demotic.base.options import options_from
from demotic.base.run import Run
from demotic.decode import TranslationModel
from demotic.decode.model_folder import WEIGHTS
from demotic.learn import read_examples
from demotic.report.readable import readable
from demotic.reproduce.context import Context
from demotic.reproduce.diagnostics import EffectOptions, WeightEffect, draw_effects, weight_effects
from demotic.reproduce.experiment import Column
from demotic.reproduce.layout import Cell, Heading, PaperTable
from demotic.reproduce.result import FigureResult, Result
from demotic.reproduce.scores import Scores
from demotic.reproduce.workspace import model_key


def effect_figure(context: Context, scores: Scores) -> Result:
    """A curve for each rule, and how far BLEU moves."""
    row = context.rows()[0]
    model = scores.outcomes[context.system(row, Column())][0].model
    frequent, rare = _effects(context, model)
    published = row.published
    rows = [
        [
            Cell(kind),
            Cell(readable(effect.feature)),
            Cell(f"{effect.lists:,}"),
            Cell(f"{effect.spread:.3f}"),
            Cell(published.get(kind, "")),
        ]
        for kind, effects in (("frequent", frequent), ("once", rare))
        for effect in effects
    ]
    titles = ("", "rule", "lists with it", "BLEU, best − worst")
    headings = [*map(Heading, titles), Heading("BLEU, best − worst", is_published=True)]
    figure = FigureResult(
        context.experiment.name,
        "BLEU on the dev set as a function of one rule's weight; note the different scales.",
        f"frequent rules move BLEU by up to {max(effect.spread for effect in frequent):.2f}, "
        f"rules that occur once by up to {max(effect.spread for effect in rare):.3f}",
        lambda: draw_effects(frequent, rare),
    )
    data = {"frequent": [asdict(effect) for effect in frequent], "once": [asdict(effect) for effect in rare]}
    return Result(context.experiment, PaperTable(headings, rows), [figure], data)


def _effects(context: Context, folder: Path) -> tuple[list[WeightEffect], list[WeightEffect]]:
    """From disk if they were found before."""
    experiment, dev = context.experiment, context.data[0].sets["dev"]
    values = {key: value for key, value in experiment.figure.items() if key != "sets"}
    options = options_from(EffectOptions, values, file=f"{experiment.name}.toml", prefix="figure.")

    def work(out: Path) -> None:
        model = TranslationModel(folder)
        examples = read_examples(dev.source, dev.references, model.preprocessor)
        found = weight_effects(model, examples, options, seed=context.seed, threads=context.threads)
        (out / "effects.json").write_text(
            json.dumps([[asdict(each) for each in kind] for kind in found]), "utf-8"
        )

    key = {**vars(options), "seed": context.seed, "model": model_key(folder), "dev": dev.key}
    with Run(context.workspace.folder / "diagnostics") as run:
        inputs = {"weights": folder / WEIGHTS}
        stage = run.stage(
            f"effects-{file_digest(folder / WEIGHTS)[:12]}-{dev.key}", work, options=key, inputs=inputs
        )
    frequent, rare = json.loads((stage / "effects.json").read_text("utf-8"))
    return [WeightEffect(**each) for each in frequent], [WeightEffect(**each) for each in rare]
