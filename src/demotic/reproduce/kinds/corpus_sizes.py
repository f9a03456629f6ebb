"""Counting sentences, words and rules of a corpus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from demotic.base.progress import Progress
from demotic.base.run import Run
from demotic.decode import TranslationModel
from demotic.learn import Example, read_examples, training_examples
from demotic.reproduce.context import Context
from demotic.reproduce.data import Data
from demotic.reproduce.workspace import model_key

TRAIN = "train"
_NO_RULES = -1


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


def set_sizes(context: Context, number: int, name: str, counts_rules: bool) -> SetSizes:
    """Sizes of a set, from disk if they were counted before.

    Args:
        context: with text and models.
        number: of the language pair, from 0.
        name: of the set.
        counts_rules: which takes its time.
    """
    data, folder = context.data[number], context.models[number][""]
    sample = context.experiment.sizes.sentences if counts_rules else _NO_RULES

    def work(out: Path) -> None:
        found = _count(TranslationModel(folder), data, name, sample, context.seed)
        (out / "sizes.json").write_text(json.dumps(asdict(found)), "utf-8")

    text = data.train if name == TRAIN else data.sets[name]
    key = {"model": model_key(folder), "sample": sample, "seed": context.seed}
    with Run(context.workspace.folder / "diagnostics") as run:
        stage = run.stage(f"sizes-{name}-{text.key}", work, options=key, inputs={"text": text.source})
    return SetSizes(**json.loads((stage / "sizes.json").read_text("utf-8")))


def _count(model: TranslationModel, data: Data, name: str, sample: int, seed: int) -> SetSizes:
    """With the rules of `sample` training pairs; 0: all."""
    examples: list[Example] = []
    if name == TRAIN:
        index = model.index.statistics()
        sizes = SetSizes(index["pairs"], index["source_tokens"], index["target_tokens"])
        if sample != _NO_RULES:
            examples = training_examples(model, min(sample, len(model.index)), seed)
    else:
        text = data.sets[name]
        examples = read_examples(text.source, text.references, model.preprocessor)
        source = sum(len(example.source.split()) for example in examples)
        target = sum(len(example.references[0].split()) for example in examples)
        sizes = SetSizes(len(examples), source, target)
    if sample == _NO_RULES:
        return sizes
    rules, total = _count_rules(model, examples, f"rules {name}")
    return replace(sizes, rules=rules, all_rules=total, rule_sentences=len(examples))


def _count_rules(model: TranslationModel, examples: Sequence[Example], what: str) -> tuple[int, int]:
    """Distinct rules, by a hash of 64 bits each, and all rules."""
    distinct: set[int] = set()
    total = 0
    with Progress(what, total=len(examples), unit="sentences") as bar:
        for example in examples:
            rules = model.index.grammar(example.source, example.number).native.rules()
            distinct.update(hash((label, source, target)) for source, target, _, label in rules)
            total += len(rules)
            bar.advance()
    return len(distinct), total
