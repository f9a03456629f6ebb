"""The walks of docs/contributing, followed to the letter: files are written, entries added, commands run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import demotic

pytestmark = pytest.mark.slow  # each trains or tunes in processes of its own

ROOT = Path(__file__).parents[1]
FILE = re.compile(r"`([\w./-]+)`:\n\n```(?:python|toml)\n(.*?)^```", re.DOTALL | re.MULTILINE)
ENTRY = re.compile(r"entry to `(\w+)` in `([\w./-]+)`:\n\n```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMANDS = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
SCRIPT = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Walk:
    """A page, and a copy of the package in a folder where its commands run."""

    def __init__(self, page: str, folder: Path) -> None:
        self.text = (ROOT / "docs" / "contributing" / page).read_text("utf-8")
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(demotic.__file__).parent, folder / "src" / "demotic", ignore=ignored)

    def write_files(self) -> list[str]:
        """Write the files that the page shows, and add its entries to registries."""
        entries = {file: (name, code) for name, file, code in ENTRY.findall(self.text)}
        for file, (name, code) in entries.items():
            path = self.folder / file
            before = path.read_text("utf-8")
            (head,) = re.findall(rf"^{name}: .*\{{\n", before, re.MULTILINE)
            path.write_text(before.replace(head, head + code), "utf-8")
        names = []
        for name, code in FILE.findall(self.text):
            if name not in entries:
                path = self.folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(code, "utf-8")
                names.append(name)
        return names

    def run_commands(self) -> list[str]:
        """Run the commands of the page; returns what each `demotic` printed."""
        printed = []
        for line in "".join(COMMANDS.findall(self.text)).splitlines():
            words = shlex.split(line.removeprefix("$ "))
            if words[0] == "export":
                self.environment.update([words[1].split("=", 1)])  # type: ignore[list-item]
            else:
                assert words[0] == "demotic"
                printed.append(self.python("-m", *words))
        return printed

    def python(self, *arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def folder(corpus: Path, model_folder: Path, tmp_path: Path) -> Path:
    """A model and the files of a corpus, as the pages name them."""
    shutil.copytree(model_folder, tmp_path / "model")
    for name in ("dev", "test"):
        for language in ("de", "en"):
            shutil.copy(corpus / f"{name}.{language}", tmp_path)
    shutil.copytree(corpus, tmp_path / "corpus")
    return tmp_path


def test_add_a_learner(folder: Path):
    walk = Walk("add-a-learner.md", folder)
    assert walk.write_files() == [
        "src/demotic/learn/online/local_update.py",
        "tests/learn/test_local_update.py",
    ]
    help_, tuned, _ = walk.run_commands()
    assert "Liang et al. 2006" in help_ and "step size of an update" in help_
    assert "localupdate, epoch" in tuned
    weights = [(folder / model / "weights.txt").read_text() for model in ("model", "tuned")]
    assert weights[0] != weights[1]
    assert len((folder / "test.out").read_text().splitlines()) == 20
    for file in [*(ROOT / "tests").glob("*.py"), ROOT / "tests" / "learn" / "conftest.py"]:
        shutil.copy(file, folder / file.relative_to(ROOT))
    walk.environment["PYTHONPATH"] += os.pathsep + str(folder / "tests")
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    assert "1 passed" in walk.python("-m", "pytest", *options, "tests/learn/test_local_update.py")


def test_add_a_feature_template(folder: Path):
    walk = Walk("add-a-feature-template.md", folder)
    assert walk.write_files() == ["my_templates.py"]
    template, look = SCRIPT.findall(walk.text)
    walk.python("-c", template + look)
    _, weights, _ = walk.run_commands()
    assert {name.split()[0] for name in weights.splitlines() if "position:" in name} >= {
        "position:first",
        "position:last",
    }
    assert len((folder / "test.out").read_text().splitlines()) == 20


def test_add_an_experiment(folder: Path):
    walk = Walk("add-an-experiment.md", folder)
    assert walk.write_files() == ["shapes.toml"]
    (printed,) = walk.run_commands()
    assert "MERT, dense" in printed and "perceptron, shapes" in printed
    made = {path.name for path in (folder / "results" / "shapes-small").iterdir()}
    assert {"table.txt", "table.md", "table.tex", "result.json", "report.html"} <= made
