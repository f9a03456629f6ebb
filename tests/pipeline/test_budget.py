"""How many sentences a time limit allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.cli.main import run
from demotic.decode import TranslationModel
from demotic.learn import DataSizes, make_learner
from demotic.pipeline.budget import CORES, LEAST, parse_budget, sentences_within


def test_times():
    assert parse_budget("1h30m") == 5400 and parse_budget("45m") == 2700 and parse_budget("90s") == 90
    for bad in ("", "soon", "-5m", "0s"):
        with pytest.raises(DemoticError, match="is not a time"):
            parse_budget(bad)


def test_a_longer_time_allows_more_sentences_up_to_all(model_folder: Path):
    model = TranslationModel(model_folder)
    learner, slower = (make_learner("itermix", {"epochs": epochs}) for epochs in (2, 4))
    counts = [sentences_within(seconds, learner, model) for seconds in (1.2, 1.5, 1e6)]
    assert LEAST <= counts[0] < counts[1] <= counts[2] == len(model.index)
    assert sentences_within(2.4, slower, model) == counts[0]  # twice the epochs in twice the time
    assert learner.decodings(DataSizes(counts[0])).lists == CORES * counts[0]
    assert (
        sentences_within(1.2 * 1.6, learner, model, class_lms=1) == counts[0]
    )  # another language model, more time


def test_too_little_time_is_said(model_folder: Path):
    with pytest.raises(DemoticError, match="the budget of 0 minutes is too small: 100 training sentences"):
        sentences_within(0.1, make_learner("itermix", {}), TranslationModel(model_folder))


@pytest.mark.parametrize("wrong", [["--budget", "3m"], ["--budget", "3m", "--on-train", "--sentences", "5"]])
def test_wrong_usage(model_folder: Path, tmp_path: Path, wrong: list[str]):
    command = ["tune", str(model_folder), "--learner", "itermix", "--out", str(tmp_path / "out")]
    assert run([*command, *wrong]) == 2


def test_the_command_says_how_many(model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command = ["tune", str(model_folder), "--learner", "itermix", "--on-train", "--budget", "1s"]
    assert run([*command, "--set", "epochs=1", "--set", "k=5", "--out", str(tmp_path / "out")]) == 0
    expected = sentences_within(1.0, make_learner("itermix", {"epochs": 1}), TranslationModel(model_folder))
    assert f"1s: {expected} of 400 training sentences" in capsys.readouterr().err
