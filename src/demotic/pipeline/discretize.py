"""`demotic tune --discretize`: a model whose dense features are bins, made for the sentences it is to be tuned on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from demotic import _core
from demotic.base.checks import whole_number
from demotic.base.digests import digest_of
from demotic.base.errors import DemoticError, warn
from demotic.base.options import options_from, options_to_dict
from demotic.base.parallel import default_threads
from demotic.base.progress import Progress
from demotic.base.run import Run
from demotic.decode import TranslationModel
from demotic.decode.model_folder import BINS, INDEX, MODEL_TOML, ModelFolder
from demotic.features import DiscretizeOptions, Weights
from demotic.features.binning import is_bin
from demotic.features.discretization import Histogram, discretization, inputs_of
from demotic.grammar import FEATURE_SETS
from demotic.learn import Example, TuningTask
from demotic.learn.fitting.keys import examples_digest

MOST_SENTENCES = 2000  # whose rules are looked at; of more, evenly spaced ones
_BATCH = 64  # sentences whose values are in memory at a time
_REMARKS = "remarks.json"
STAGE = "discretized"  # of a run: the model with bins before anything is learnt


def parse_discretize(text: str) -> DiscretizeOptions:
    """`bits=4[,overlap][,input=p|logp|counts][,start=linear|zero]`."""
    values: dict[str, object] = {}
    for part in text.split(","):
        key, equals, value = (item.strip() for item in part.partition("="))
        if key == "overlap" and not equals:
            values[key] = True
        elif not value:
            raise DemoticError(
                f"--discretize {text}: expected KEY=VALUE (got '{part}')",
                hint="e.g.  --discretize bits=4,overlap",
            )
        else:
            number = whole_number(value.removeprefix("-"))
            if number is None:
                values[key] = {"true": True, "false": False}.get(value, value)
            else:
                values[key] = -number if value.startswith("-") else number
    return options_from(DiscretizeOptions, values)


def discretized(task: TuningTask, options: DiscretizeOptions, run: Run, name: str = STAGE) -> TuningTask:
    """The task with bins in its model, made in a stage of a run: for the values that the model's rules have in the tuning set.

    X is, as in section 3.2 of the paper, the value of each rule of the grammar of each sentence; sentences of the index are looked
    up as if they were not there. Weights to start from, whether the model's or others, become weights of bins, unless they are that already.

    Args:
        task: of a model without bins.
        options: how many bins, of what.
        run: where the new model lies.
        name: of the stage.
    """
    model, examples = task.model, task.examples
    if (model / BINS).exists():
        raise DemoticError(
            "the model already has bins", model, hint="discretise the model that it was tuned from"
        )
    is_tuned = task.initial_weights is not None and any(
        is_bin(name) for name, _ in Weights.unpack(task.initial_weights).items()
    )
    weights = TranslationModel(model).weights if is_tuned else task.model_weights()
    chosen = examples[:: max(1, -(-len(examples) // MOST_SENTENCES))]

    def work(folder: Path) -> None:
        _write(folder, TranslationModel(model), weights, chosen, options)

    key = {
        **options_to_dict(options),
        "examples": examples_digest(chosen),
        "weights": digest_of(weights.pack()),
    }
    inputs = {name: model / name for name in (*ModelFolder(model).lm_files(), INDEX, MODEL_TOML)}
    folder = run.stage(name, work, options=key, inputs=inputs)
    for remark in json.loads((folder / _REMARKS).read_text("utf-8")):
        warn(remark)
    return replace(task, model=folder, initial_weights=task.initial_weights if is_tuned else None)


def _write(
    folder: Path,
    model: TranslationModel,
    weights: Weights,
    examples: Sequence[Example],
    options: DiscretizeOptions,
) -> None:
    """A complete model folder."""
    inputs = inputs_of(FEATURE_SETS[model.options.grammar.features], options)
    names = [each.name for each in inputs]
    seen = dict(zip(names, _histograms(model, examples, names), strict=True))
    found = discretization(inputs, seen, weights.to_dict(), options)
    (folder / _REMARKS).write_text(json.dumps(found.remarks), "utf-8")
    values = {**model.values, "discretize": options_to_dict(options)}
    learnt = Weights.from_dict(found.weights)
    ModelFolder(folder).write(values, model.parts(), model.preprocessor, learnt, bins=found.bins)


def _histograms(
    model: TranslationModel, examples: Sequence[Example], inputs: Sequence[str]
) -> list[Histogram]:
    """The values of each input in the rules of all examples."""
    sums = [Histogram.sum([]) for _ in inputs]

    def of_example(example: Example) -> list[Histogram]:
        grammar = model.index.grammar(example.source, example.number)
        values = _core.input_values(grammar.native, list(inputs))
        return [Histogram.from_values(values[:, i]) for i in range(len(inputs))]

    with (
        Progress("bins", total=len(examples), unit="sentences") as bar,
        ThreadPoolExecutor(default_threads()) as pool,
    ):
        for batch in _batches(examples):
            found = list(pool.map(of_example, batch))
            sums = [
                Histogram.sum([total, *parts])
                for total, parts in zip(sums, zip(*found, strict=True), strict=True)
            ]
            bar.advance(len(batch))
    return sums


def _batches(examples: Sequence[Example]) -> Iterator[Sequence[Example]]:
    return (examples[i : i + _BATCH] for i in range(0, len(examples), _BATCH))
