"""The dependency rule: a layer imports only from layers above it in the table of the design."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYERS = [
    "base",
    "corpus",
    "align",
    "lm",
    "grammar",
    "features",
    "decode",
    "evaluate",
    "cluster",
    "learn",
    "pipeline",
    "adapt",
    "report",
    "reproduce",
    "serve",
    "cli",
]


# Inside `learn`: what stands first knows nothing of what follows.
LEARN = [
    "options",
    "quality",
    "regularizers",
    "neighbours",
    "task",
    "labels",
    "cost",
    "learner",
    "registry",
    "workers",
    "fitting",
    "online",
    "batch",
    "hols",
    "oscar",
    "recipe",
]


def imported_modules(path: Path) -> set[str]:
    """Dotted names that a Python file imports."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            modules |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


def imported_layers(path: Path) -> set[str]:
    """Layers of demotic that a Python file imports."""
    modules = imported_modules(path)
    return {name.split(".")[1] for name in modules if name.startswith("demotic.")} & set(LAYERS)


def test_python_layers_import_upwards_only():
    files = sorted((ROOT / "src/demotic").glob("*/**/*.py"))
    assert len(files) > 12
    for path in files:
        layer = path.relative_to(ROOT / "src/demotic").parts[0]
        below = {other for other in imported_layers(path) if LAYERS.index(other) > LAYERS.index(layer)}
        assert not below, f"{path}: layer '{layer}' must not import {sorted(below)}"


def test_learn_imports_upwards_only():
    folder = ROOT / "src/demotic/learn"
    files = [path for path in sorted(folder.glob("**/*.py")) if path != folder / "__init__.py"]
    assert {path.relative_to(folder).parts[0].removesuffix(".py") for path in files} == set(LEARN)
    for path in files:
        own = path.relative_to(folder).parts[0].removesuffix(".py")
        parts = [name.split(".") for name in imported_modules(path) if name.startswith("demotic.learn.")]
        below = {part[2] for part in parts if part[2] in LEARN and LEARN.index(part[2]) > LEARN.index(own)}
        assert not below, f"{path}: '{own}' must not import {sorted(below)}"


def test_cluster_knows_nothing_of_translation():
    for path in (ROOT / "src/demotic/cluster").glob("**/*.py"):
        assert imported_layers(path) <= {"base", "cluster"}, path


def test_native_layers_include_upwards_only():
    files = sorted(path for path in (ROOT / "cpp").glob("*/*") if path.suffix in {".hpp", ".cpp"})
    assert files
    for path in files:
        layer = path.parent.name
        for other in re.findall(r'^#include "(\w+)/', path.read_text("utf-8"), re.MULTILINE):
            assert LAYERS.index(other) <= LAYERS.index(layer), (
                f"{path}: layer '{layer}' must not include '{other}'"
            )


def test_native_core_knows_nothing_of_python():
    for path in (ROOT / "cpp").glob("**/*"):
        if path.suffix in {".hpp", ".cpp"}:
            assert not re.search(r"#include [<\"](Python\.h|nanobind|boost)", path.read_text("utf-8")), path


def test_every_layer_has_its_folder():
    assert {path.name for path in (ROOT / "src/demotic").iterdir() if (path / "__init__.py").exists()} == set(
        LAYERS
    )
