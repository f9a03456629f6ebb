"""Evidence: examples of rules against the counts of extraction and a plain check of the alignment, runners-up against scores."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from demotic.adapt.contrasting import contrast
from demotic.adapt.evidence import Example, RuleExamples, evidence_of
from demotic.cli.main import run
from demotic.decode import TranslationModel, protected_spans
from demotic.features import Weights


@pytest.fixture(scope="module")
def model(model_folder: Path) -> TranslationModel:
    return TranslationModel(model_folder)


def plain(symbols: tuple[str, ...]) -> tuple[str | int, ...]:
    numbers = {"[X,1]": 1, "[X,2]": 2}
    return tuple(numbers.get(symbol, symbol) for symbol in symbols)


def filled(symbols: tuple[str | int, ...], words: tuple[str, ...], gaps: list[tuple[int, int]]) -> list[str]:
    """The words of a side with its gaps filled."""
    return [
        word
        for symbol in symbols
        for word in ([symbol] if isinstance(symbol, str) else words[slice(*gaps[symbol - 1])])
    ]


def check(example: Example, source: tuple[str | int, ...], target: tuple[str | int, ...]) -> None:
    """The rule stands where the example says, and no link leaves the phrase or one of its gaps."""
    sides = (example.source, example.source_span, source), (example.target, example.target_span, target)
    for k, (words, span, symbols) in enumerate(sides):
        assert list(words[slice(*span)]) == filled(symbols, words, [gap[k] for gap in example.gaps])
    for spans in [(example.source_span, example.target_span), *example.gaps]:
        inside = [all(a <= x < b for x, (a, b) in zip(link, spans, strict=True)) for link in example.links]
        outside = [
            not any(a <= x < b for x, (a, b) in zip(link, spans, strict=True)) for link in example.links
        ]
        assert any(inside)
        assert all(i or o for i, o in zip(inside, outside, strict=True))


def test_examples_are_what_extraction_counted(model: TranslationModel, corpus: Path):
    """For all rules of a few sentences: as many places as c(f, e), and every one of them has the rule."""
    examples = RuleExamples(model, 1000)
    shapes = set()
    for line in (corpus / "test.de").read_text("utf-8").splitlines()[:2]:
        grammar = model.index.grammar(model.preprocessor.words(line, "source"))
        for rule, count in zip(grammar, grammar.counts.count_fe, strict=True):
            source, target = plain(rule.source), plain(rule.target)
            places, found = examples.of(source, target)
            assert places == count, rule
            assert 0 < len(found) <= places
            for example in found[:3]:
                check(example, source, target)
            shapes.add(tuple(isinstance(symbol, int) for symbol in source))
    assert len(shapes) > 8


def test_rules_that_the_corpus_does_not_give_have_no_examples(model: TranslationModel):
    assert model.index.examples(["der"], ["zzz"]) == []
    assert model.index.examples(["zzz"], ["the"]) == []
    assert model.index.examples(["der"], ["der"]) == []
    assert model.index.examples([1], [1]) == []
    assert model.index.examples([], []) == []


def test_evidence_explains_the_translation(model: TranslationModel, corpus: Path):
    line = (corpus / "test.de").read_text("utf-8").splitlines()[0] + " {0}"
    found = evidence_of(model, line, protected_spans(line), examples=2, runners_up=4)
    assert found.text == next(model.translate([line], 1, [protected_spans(line)]))
    assert "{0}" in found.text
    assert sum(rule.kind == "forced" for rule in found.rules) == 1
    kbest = next(model.kbest([line], 5, 1, [protected_spans(line)]))
    assert [found.score, *(other.score for other in found.runners_up)] == pytest.approx(list(kbest.scores))
    for other in found.runners_up:
        assert other.text != found.text
        assert sum(each.advantage for each in other.differences) == pytest.approx(
            found.score - other.score, abs=1e-6
        )
    for rule in found.rules:
        assert sum(part.product for part in rule.features) == pytest.approx(rule.score, abs=1e-6)
        if rule.kind == "translation":
            assert 0 < len(rule.examples) <= min(2, rule.count)
            assert len({example.pair for example in rule.examples}) == len(rule.examples)
    json.dumps(found.to_json())


def test_lines_are_those_of_the_training_text(model: TranslationModel, corpus: Path):
    raw = (corpus / "train.de").read_text("utf-8").splitlines()
    found = evidence_of(model, raw[3], runners_up=0)
    examples = [example for rule in found.rules for example in rule.examples]
    assert examples
    for example in examples:
        assert tuple(model.preprocessor.words(raw[example.line - 1], "source")) == example.source


def test_contrast_finds_the_feature_that_was_changed(model_folder: Path, corpus: Path, tmp_path: Path):
    """With the word penalty turned round translations get longer or shorter, and it is named as the reason."""
    other = tmp_path / "other"
    shutil.copytree(model_folder, other)
    weights = Weights.load(other / "weights.txt")
    weights.set("WordPenalty", weights.get("WordPenalty") + 3.0)
    weights.save(other / "weights.txt")
    first, second = TranslationModel(model_folder), TranslationModel(other)
    lines = (corpus / "test.de").read_text("utf-8").splitlines()[:8]
    found = [contrast(first, second, line, k=200) for line in lines]
    different = [each for each in found if not each.agree and each.features]
    assert different
    for each in different:
        assert each.features[0].name == "WordPenalty"
        assert sum(abs(feature.first) for feature in each.features) == pytest.approx(1)
        assert sum(feature.first for feature in each.features) >= 0
        assert sum(feature.second for feature in each.features) <= 0
    assert contrast(first, first, lines[0]).agree


def test_on_the_command_line(model_folder: Path, corpus: Path, capsys: pytest.CaptureFixture[str]):
    line = (corpus / "test.de").read_text("utf-8").splitlines()[1]
    assert run(["why", str(model_folder), line, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["rules"][0]["examples"][0]["line"] >= 1
    assert run(["why", str(model_folder), line]) == 0
    shown = capsys.readouterr().out
    assert result["text"] in shown
    assert "behind by" in shown
    weights = [row.split()[3] for row in shown.splitlines() if row.startswith("LanguageModel ")]
    assert weights and all(len(weight.partition(".")[2]) == 4 for weight in weights)
    assert run(["contrast", str(model_folder), str(model_folder), line]) == 0
    assert "the same translation" in capsys.readouterr().out
    assert run(["why", str(model_folder), " "]) == 1
    assert "the line is empty" in capsys.readouterr().err
