"""Error budgets: against what exhaustive search and plain lists say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.adapt.diagnosing import BudgetOptions, error_budget
from demotic.base import DemoticError
from demotic.cli.main import run
from demotic.decode import TranslationModel
from demotic.evaluate import References, corpus_bleu


def read(corpus: Path, side: str, count: int = 8) -> list[str]:
    return (corpus / f"test.{side}").read_text("utf-8").splitlines()[:count]


def test_the_parts_add_up_and_the_model_is_the_model(model_folder: Path, corpus: Path):
    model = TranslationModel(model_folder)
    source, references = read(corpus, "de"), read(corpus, "en")
    found = error_budget(model, source, [references], BudgetOptions(pop_limit=400, kbest=20), threads=1)
    words = [kbest.sentence(0) for kbest in model.kbest(source, 1, 1)]
    expected = corpus_bleu(
        words, [References([model.preprocessor.words(line, "target")]) for line in references]
    )
    assert found.model == pytest.approx(expected.score)
    parts = found.search + found.ranking_list + found.ranking_forest + found.missing
    assert found.model + parts == pytest.approx(100)
    assert found.list_oracle >= found.larger_search
    assert found.ranking_list >= 0
    assert 0 <= found.reachable <= 1
    assert found == error_budget(
        model, source, [references], BudgetOptions(pop_limit=400, kbest=20), threads=2
    )


def test_a_reference_that_the_model_says_is_reached(model_folder: Path, corpus: Path):
    """The translations of the larger search as references: nothing is lost behind search, and all are reachable."""
    model = TranslationModel(model_folder)
    source = read(corpus, "de", 4)
    own = [" ".join(kbest.sentence(0)) for kbest in model.kbest(source, 1, 1)]
    prepared = [model.preprocessor.restore(line.split()) for line in own]
    found = error_budget(model, source, [prepared], BudgetOptions(pop_limit=200, kbest=5), threads=1)
    assert found.reachable == 1
    assert found.model == found.forest_oracle == pytest.approx(100)
    assert found.search_errors == 0


def test_on_the_command_line(
    model_folder: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for side in ("de", "en"):
        (tmp_path / side).write_text("\n".join(read(corpus, side, 3)) + "\n")
    command = [
        "diagnose",
        str(model_folder),
        "--src",
        str(tmp_path / "de"),
        "--ref",
        str(tmp_path / "en"),
        "--pop-limit",
        "300",
    ]
    assert run([*command, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert sum(result["lost"].values()) == pytest.approx(100 - result["model"])
    assert run(command) == 0
    assert "missing or pruned rules" in capsys.readouterr().out
    with pytest.raises(DemoticError, match="same number of lines"):
        error_budget(TranslationModel(model_folder), ["a"], [["b", "c"]])
