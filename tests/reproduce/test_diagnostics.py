"""Diagnostics of learning: effects of single weights, learning curves, training pairs as a test set."""

from __future__ import annotations

from pathlib import Path

import pytest
import sacrebleu

from demotic.base import DemoticError
from demotic.decode import Decoder, TranslationModel
from demotic.features import TemplateSet, Weights
from demotic.learn import Example, read_examples, training_examples
from demotic.reproduce.diagnostics import (
    EffectOptions,
    draw_curve,
    draw_effects,
    learning_curve,
    seen_pairs,
    weight_effects,
)


@pytest.fixture(scope="module")
def model(model_folder: Path) -> TranslationModel:
    return TranslationModel(model_folder)


@pytest.fixture(scope="module")
def dev(corpus: Path, model: TranslationModel) -> list[Example]:
    return read_examples(corpus / "dev.de", [corpus / "dev.en"], model.preprocessor)


def plain_bleu(model: TranslationModel, dev: list[Example], feature: str, value: float) -> float:
    """All sentences decoded with normalised dense weights and one rule's weight; scored by sacrebleu itself."""
    dense = model.weights.to_dict()
    total = sum(map(abs, dense.values()))
    weights = Weights.from_dict({**{name: weight / total for name, weight in dense.items()}, feature: value})
    decoder = Decoder(model.lm, weights, model.index, TemplateSet(["id"]), model.options.decode)
    outputs = [" ".join(decoder.decode(example.source).viterbi().sentence(0)) for example in dev]
    references = [[example.references[0] for example in dev]]
    return sacrebleu.corpus_bleu(outputs, references, tokenize="none", force=True).score


def test_effects_are_those_of_decoding_everything_again(model: TranslationModel, dev: list[Example]):
    options = EffectOptions(rules=2, most_frequent=5, points=3, k=20)
    frequent, rare = weight_effects(model, dev, options, seed=3, threads=2)
    assert len(frequent) == len(rare) == 2
    assert all(effect.lists == 1 for effect in rare) and min(effect.lists for effect in frequent) > 1
    for effect in (frequent[0], rare[0]):
        for value, bleu in zip(effect.weights, effect.bleu, strict=True):
            assert bleu == pytest.approx(plain_bleu(model, dev, effect.feature, value))
    assert weight_effects(model, dev, options, seed=3, threads=1) == (frequent, rare)
    assert [len(axes.lines) for axes in draw_effects(frequent, rare).axes] == [2, 2]
    with pytest.raises(DemoticError, match="of each are needed"):
        weight_effects(model, dev[:1], EffectOptions(rules=10_000, k=2))


def test_a_curve_from_reports():
    history = [
        {"epoch": 1, "sentences": 10, "train_bleu": 20.0, "dev_bleu": 19.0, "test_bleu": 18.0},
        {"epoch": 1, "sentences": 5, "train_bleu": 25.0, "dev_bleu": 18.0, "test_bleu": 18.5},
    ]
    curve = learning_curve(history)
    assert curve.sentences == [10, 15] and curve.change("train") == 5.0 and curve.change("dev") == -1.0
    assert len(draw_curve(curve).axes[0].lines) == 3


def test_seen_pairs_are_others_than_those_learnt_from(model: TranslationModel):
    learnt = {example.source for example in training_examples(model, 30, 7)}
    seen = seen_pairs(model, 40, 30, 7)
    assert len(seen) == 40 and not learnt & {example.source for example in seen}
    assert all(example.number is None for example in seen)  # decoded with everything, themselves included
    with pytest.raises(DemoticError, match="cannot draw"):
        seen_pairs(model, len(model.index), 1, 7)
