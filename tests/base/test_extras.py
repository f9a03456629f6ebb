"""Extras: the table for error messages says what pyproject.toml says, and translating needs none of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.extras import EXTRA_OF, missing_extra, need_extra
from demotic.base.options import load_toml
from demotic.cli.main import run

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "tests" / "decode" / "old_models" / "0.1.0"
# Runs command lines one after the other in a process that has none of the packages named first; a line says how each ended.
SCRIPT = """
import json, sys
for module in sys.argv[1].split():
    sys.modules[module] = None
from demotic.cli.main import run
for command in json.loads(sys.argv[2]):
    print("exit", run(command))
"""


def without_extras(commands: list[list[str]]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT, " ".join(EXTRA_OF), json.dumps(commands)]
    return subprocess.run(command, capture_output=True, text=True)


def test_every_package_is_in_its_extra():
    project = load_toml(ROOT / "pyproject.toml")["project"]
    distribution = {"thot": "sil-thot"}
    for module, extra in EXTRA_OF.items():
        names = [re.match(r"[\w-]+", each)[0] for each in project["optional-dependencies"][extra]]
        assert distribution.get(module, module) in names
    always = {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]}
    assert not always & EXTRA_OF.keys()


def test_translating_needs_no_extra(tmp_path: Path):
    (tmp_path / "in").write_text("Der Mann.\n")
    translate = ["translate", str(MODEL), "--threads", "1", "--input", str(tmp_path / "in")]
    commands = [[*translate, *options] for options in ([], ["--explain"], ["--mbr", "consensus"])]
    done = without_extras(commands)
    assert done.returncode == 0, done.stderr
    *outputs, rest = done.stdout.split("exit 0\n")
    assert len(outputs) == len(commands) and not rest, done.stdout + done.stderr
    assert all("man" in output for output in outputs)


@pytest.mark.parametrize(
    ("command", "modules", "extra"),
    [
        (
            ["train", "--src", "x", "--tgt", "x", "--out", "x"],
            "sacrebleu and scipy and threadpoolctl are",
            "train",
        ),
        (
            ["tune", str(MODEL), "--learner", "mert", "--out", "x"],
            "sacrebleu and scipy and threadpoolctl are",
            "train",
        ),
        (
            ["evaluate", "--hyp", str(ROOT / "LICENSE"), "--ref", str(ROOT / "LICENSE")],
            "sacrebleu is",
            "train",
        ),
        (["demo", "--out", "x"], "jinja2 and matplotlib are", "report"),
        (["serve", str(MODEL)], "httptools and starlette and uvicorn are", "serve"),
    ],
)
def test_a_command_names_the_extra_that_it_lacks(
    command: list[str],
    modules: str,
    extra: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
):
    for module in EXTRA_OF:
        for loaded in [name for name in sys.modules if name == module or name.startswith(module + ".")]:
            monkeypatch.delitem(sys.modules, loaded)
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("demotic.evaluate.corpus_metrics.sacrebleu", fresh("sacrebleu.metrics"))
    monkeypatch.chdir(tmp_path)
    assert run(command) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"demotic: {modules} not installed",
        f"  hint: pip install 'demotic[{extra}]'",
    ]
    assert not list(tmp_path.iterdir())


def fresh(name: str) -> object:
    """A lazy module that has not been used: whatever test came before."""
    from demotic.base.lazy import LazyModule

    return LazyModule(name)


def test_other_missing_modules_are_not_an_extra():
    assert missing_extra(ModuleNotFoundError("no", name="antigravity")) is None
    found = missing_extra(ModuleNotFoundError("no", name="scipy.sparse"))
    assert found is not None and found.hint == "pip install 'demotic[train]'"
    need_extra("none of these")
    with pytest.raises(DemoticError):
        raise found
