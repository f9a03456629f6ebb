"""Lists as text: what native code prints against Python's own formatting of the arrays."""

from __future__ import annotations

import numpy as np
import pytest

from demotic.decode import Decoder, KBest
from demotic.features import FeatureIndex, Weights
from demotic.grammar import Grammar, Rule
from demotic.lm import LanguageModel

from .toys import WEIGHTS

# Rounded at the sixth digit, whole, tiny, huge, negative: every form that %.6g has.
VALUES = [0.1234565, 1234567.0, 3.0, -1e-7, 2.5e11, 100000.5]


def plain_text(number: int, kbest: KBest, index: FeatureIndex) -> str:
    lines = []
    for i, score in enumerate(kbest.scores.tolist()):
        begin, end = kbest.word_begins[i : i + 2].tolist()
        words = " ".join(kbest.vocabulary[word] for word in kbest.words[begin:end].tolist())
        ids, values = kbest.row(i)
        pairs = zip(ids.tolist(), values.tolist(), strict=True)
        features = " ".join(f"{index.name(id_)}={value:.6g}" for id_, value in pairs)
        lines.append(f"{number} ||| {words} ||| {features} ||| {score:.6g}\n")
    return "".join(lines)


def test_lines_are_those_of_python(lm: LanguageModel):
    words = ["x", "häuser", "&apos;s", "y", "z", "q"]
    rules = [
        Rule(("a",), (word, word), features={"A": value}) for word, value in zip(words, VALUES, strict=True)
    ]
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), Grammar.from_rules(rules))
    (kbest,) = decoder.kbest(["a"], 100, threads=1)
    text = kbest.to_text(17)
    assert text == plain_text(17, kbest, decoder.weights.index)
    assert text.count("\n") == len(kbest) == len(words) + 1  # and the copy of `a`
    assert "17 ||| häuser häuser ||| " in text


def test_sentences_are_those_of_the_arrays(lm: LanguageModel):
    rules = [Rule(("a",), ("x", "y", "x"), features={"A": 1.0})]
    (kbest,) = Decoder(lm, Weights.from_dict(WEIGHTS), Grammar.from_rules(rules)).kbest(["a"], 1, threads=1)
    assert kbest.sentence(0) == [kbest.vocabulary[word] for word in kbest.words]
    with pytest.raises(IndexError):
        kbest.sentence(1)


def test_loaded_weights_are_one_array(tmp_path):
    """Decoders read the memory that was loaded; what Python changes in it they see."""
    (tmp_path / "weights").write_text("A 1\nB -2.5\n")
    weights = Weights.load(tmp_path / "weights")
    assert isinstance(weights.native, memoryview)
    weights.values[weights.index.intern("A")] = 7.0
    assert np.asarray(weights.native).tolist() == weights.values.tolist() == [7.0, -2.5]
    weights.set("C", 3.0)
    assert weights.to_dict() == {"A": 7.0, "B": -2.5, "C": 3.0}
    assert weights.native is weights.values
