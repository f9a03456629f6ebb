"""`demotic reproduce` on the command line: what it lists, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.corpus.embedded import EmbeddedOptions, write

pytestmark = pytest.mark.usefixtures("quick_figures")
TINY = """
paper = "Nobody (2000), table 1"
title = "a tiny table"
corpus = "another"
[base.align]
iterations = 0.2
[options.mert]
iterations = 1
k = 5
[[columns]]
title = "test"
value = "bleu"
[[rows]]
id = "mert"
learner = "mert"
published = { test = "12.3" }
"""


def test_list(capsys: pytest.CaptureFixture[str]):
    assert run(["reproduce", "--list", "--json"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)["experiments"]}
    assert found["simianer2012-table3"]["needs"] == [
        "train",
        "dev",
        "news-dev",
        "devtest",
        "test",
        "news-test",
    ]
    assert set(found["tots2011"]["minutes"]) == {"small", "medium", "corpus", "full"}
    assert run(["reproduce", "--list"]) == 0
    assert "flanigan2013-table56" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "--list"),
        (["simianer2012-tabel2", "--corpus", "."], 1, "did you mean 'simianer2012-table2'?"),
        (["tots2011"], 1, "--corpus is missing"),
        (["tots2011", "--corpus", "nowhere"], 1, "no such folder"),
        (["tots2011", "--corpus", ".", "--scale", "large"], 1, "unknown scale 'large'"),
        (["tots2011", "--corpus", ".", "--budget", "soon"], 1, "is not a time"),
        (["missing.toml", "--corpus", "."], 1, "missing.toml"),
    ],
)
def test_wrong_usage(
    arguments: list[str],
    status: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    assert run(["reproduce", *arguments]) == status
    assert message in capsys.readouterr().err
    assert not (tmp_path / "reproduce").exists()


def test_a_file_of_ones_own_and_a_missing_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    write(tmp_path / "corpus", EmbeddedOptions(train=120, dev=6, devtest=6, test=4))
    (tmp_path / "tiny.toml").write_text(TINY)
    command = [
        "reproduce",
        str(tmp_path / "tiny.toml"),
        "--corpus",
        str(tmp_path / "corpus"),
        "--out",
        str(tmp_path / "out"),
    ]
    assert run([*command, "--threads", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["table"]["header"][:2] == ["test", "test (paper)"]
    assert all(Path(file).exists() for file in result["files"])
    assert run([*command, "--threads", "1"]) == 0
    assert "12.3" in capsys.readouterr().out
    (tmp_path / "corpus" / "dev.en").unlink()
    assert run(command) == 1
    error = capsys.readouterr().err
    assert "dev.en is missing" in error and "devtest.de and .en" in error
