"""The Python of README and docs runs as it is printed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.decode import TranslationModel
from demotic.evaluate import Metric

ROOT = Path(__file__).parents[1]
METRIC_WALK = ROOT / "docs/contributing/add-a-metric.md"
# Pages whose blocks go on from a model, its parts and a hypergraph.
PAGES = [
    "concepts/decoding.md",
    "concepts/features.md",
    "how-to/evaluate.md",
    "how-to/evidence.md",
    "how-to/glossary.md",
    "how-to/grammar.md",
    "how-to/lm.md",
    "how-to/online-learners.md",
    "how-to/report.md",
    "how-to/translate.md",
    "how-to/word-classes.md",
]


def blocks(page: Path) -> list[str]:
    found = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    return found


@pytest.mark.parametrize("page", ["README.md", "docs/how-to/python.md"])
def test_a_whole_script(page: str, tmp_path: Path):
    write(tmp_path, EmbeddedOptions(train=60, dev=8, devtest=8, test=8))
    (tmp_path / "script.py").write_text("\n".join(blocks(ROOT / page)), "utf-8")
    result = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout


@pytest.mark.parametrize("page", PAGES)
def test_blocks(page: str, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(model_folder, tmp_path / "model")
    shutil.copy(model_folder / "index.bin", tmp_path)
    shutil.copy(model_folder / "run" / "prepare" / "train.tgt", tmp_path)
    monkeypatch.chdir(tmp_path)
    model = TranslationModel("model")
    graph = model.decoder.decode("der mann sitzt auf der bank .")
    parts = {"lm": model.lm, "weights": model.weights, "decoder": model.decoder, "graph": graph}
    for block in blocks(ROOT / "docs" / page):
        names = dict(parts)
        exec(compile(block, page, "exec"), names)  # an example that does not run raises
        made = [name for name in names if name not in parts and name != "__builtins__"]
        assert made and all(names[name] is not None for name in made)


def test_the_walk_to_a_metric():
    """The class is a metric, and the registries are where the page says."""
    text = METRIC_WALK.read_text("utf-8")
    for name, file in re.findall(r"`([A-Z_]+)` in `(src/[^`]+)`", text):
        assert f"\n{name}: dict[" in (ROOT / file).read_text("utf-8")
    names: dict[str, Any] = {"__name__": "word_f1"}
    (source,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    exec(compile(source, "word_f1.py", "exec"), names)
    metric = names["WordF1"]()
    assert isinstance(metric, Metric) and metric == names["WordF1"]() and metric.title == "F1"


@pytest.mark.slow  # seconds of a compiler, like the other walks (test_walks.py)
def test_the_kernel_of_the_walk_to_a_metric_compiles_against_the_core(tmp_path: Path):
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    kernel = re.findall(r"^```cpp\n(.*?)^```", METRIC_WALK.read_text("utf-8"), re.DOTALL | re.MULTILINE)[0]
    (tmp_path / "word_f1_metric.hpp").write_text(kernel, "utf-8")
    (tmp_path / "use.cpp").write_text(
        '#include "word_f1_metric.hpp"\ndemotic::WordF1Metric metric;\n', "utf-8"
    )
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT / 'cpp'}"]
    result = subprocess.run([*command, str(tmp_path / "use.cpp")], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
