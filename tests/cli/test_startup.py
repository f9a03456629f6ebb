"""What the command line loads: a verb's module when the verb is called, numpy where arrays are needed."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import demotic
from demotic.base.lazy import LazyModule
from demotic.cli.main import app, main, run
from demotic.cli.verbs import VERBS, LazyVerb

HEAVY = {"numpy", "scipy", "matplotlib", "jinja2", "sacrebleu", "multiprocessing"}
LAYERS = Path(demotic.__file__).parent
LAZY = ["base", "corpus", "lm", "grammar", "features", "decode", "learn", "report"]

# Runs command lines one after the other in a fresh process; a JSON list on standard error says what was loaded after each.
SCRIPT = """
import json, sys
from demotic.cli.main import run
loaded = []
for command in json.loads(sys.argv[1]):
    code = run(command)
    loaded.append([code, sorted(sys.modules)])
json.dump(loaded, sys.stderr)
"""


def loaded_after(commands: list[list[str]]) -> list[set[str]]:
    """The modules that a process has after each of these command lines, all of which succeed."""
    command = [sys.executable, "-c", SCRIPT, json.dumps(commands)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    results = json.loads(done.stderr)
    assert [code for code, _ in results] == [0] * len(commands)
    return [set(modules) for _, modules in results]


def test_the_version_is_looked_up_once(monkeypatch: pytest.MonkeyPatch):
    assert demotic.__version__ == importlib.metadata.version("demotic")
    monkeypatch.delattr(demotic, "__version__")
    asked = []
    monkeypatch.setattr(importlib.metadata, "version", lambda name: asked.append(name) or "1.2")
    assert [demotic.__version__, demotic.__version__] == ["1.2", "1.2"]
    assert asked == ["demotic"]


def layers(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("demotic.")}


def test_what_the_verbs_load(tmp_path: Path):
    (tmp_path / "lm.arpa").write_text(
        "\\data\\\nngram 1=4\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\n-1\t</s>\n-1\tthe\n\n\\end\\\n"
    )
    (tmp_path / "weights").write_text("LanguageModel 1\nP 1\n")
    (tmp_path / "rules").write_text("[X] ||| das ||| the ||| P=0.5 ||| 0-0\n")
    (tmp_path / "input").write_text("das\n")
    files = {"--input": "input", "--lm": "lm.arpa", "--weights": "weights", "--grammar": "rules"}
    decode = ["decode", *(word for name, file in files.items() for word in (name, str(tmp_path / file)))]
    lists = [*decode, "--kbest", "5", "--unique", "--threads", "1"]
    help_of_all = [[*verb.split(), "--help"] for verb in ("lm score", "grammar extract", "translate", "tune")]
    score = ["lm", "score", str(tmp_path / "lm.arpa"), str(tmp_path / "input")]
    after = loaded_after([["--version"], ["--help"], lists, [*decode, "--threads", "1"], *help_of_all, score])
    version, help_, *decoding = after[:4]

    assert layers(version) == {"base", "cli"}
    assert not version & {"rich.console", *HEAVY}
    assert layers(help_) == {"base", "cli"}
    assert {name for name in help_ if name.startswith("demotic.cli.")} == {
        "demotic.cli.front_page",
        "demotic.cli.main",
        "demotic.cli.verbs",
    }
    assert not help_ & {"rich.markdown", "rich.traceback", *HEAVY}
    if importlib.metadata.version("rich") > "14":  # 13 loads them with its console
        assert "rich._emoji_codes" not in help_
    assert not set.union(*decoding) & HEAVY
    helped, scored = after[-2], after[-1]
    assert not helped & HEAVY
    for modules in (*decoding, helped, scored):
        unused = {"align", "cluster", "evaluate", "pipeline", "report", "reproduce", "serve"}
        assert not layers(modules) & unused
    for modules in decoding:
        assert "learn" not in layers(modules)
    learn = {name for name in helped if name.startswith("demotic.learn")}
    assert learn == {"demotic.learn", "demotic.learn.registry"}  # the help of `tune` lists the learners


@pytest.mark.parametrize("name", VERBS)
def test_the_table_has_the_help_of_the_verb(name: str):
    group = typer.main.get_command(app)
    stub = group.commands[name]  # type: ignore[attr-defined]
    assert isinstance(stub, LazyVerb)
    verb = stub.load()
    assert (stub.name, stub.help) == (verb.name, verb.help)


def test_a_wrong_verb_is_told_the_nearest(capsys: pytest.CaptureFixture[str]):
    assert run(["grammer"]) == 2
    assert "Did you mean 'grammar'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [("demotic d", ["demo", "decode", "detokenize", "diagnose", "doctor"]), ("demotic lm s", ["score"])],
)
def test_completion_of_verbs(
    words: str, expected: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("_DEMOTIC_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    with pytest.raises(SystemExit) as exit_:
        typer.main.get_command(app)(prog_name="demotic")
    assert exit_.value.code == 0
    assert sorted(capsys.readouterr().out.split()) == sorted(expected)


@pytest.mark.parametrize("layer", LAZY)
def test_packages_export_what_they_say(layer: str):
    package = importlib.import_module(f"demotic.{layer}")
    modules = {path.stem for path in (LAYERS / layer).iterdir()}
    assert not modules & set(package.__all__), "a module of the package would hide the export"
    tree = ast.parse((LAYERS / layer / "__init__.py").read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    for name in package.__all__:
        (home,) = (node.module for node in imports if name in {alias.name for alias in node.names})
        assert getattr(package, name) is getattr(importlib.import_module(str(home)), name)
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        package.no_such_name  # noqa: B018


def test_lazy_modules_import_when_used():
    module = LazyModule("fractions")
    assert module.Fraction(1, 2) * 2 == 1
    assert "Fraction" in vars(module)
    with pytest.raises(AttributeError):
        module.no_such_name  # noqa: B018


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert demotic.__version__ == version("demotic")
    assert not hasattr(demotic, "no_such_name")


@pytest.mark.parametrize(("before", "after"), [(None, "1"), ("3", "3")])
def test_blas_has_one_thread_unless_the_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: str
):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", before or "")
    if before is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    monkeypatch.setattr(sys, "argv", ["demotic", "--version"])
    with pytest.raises(SystemExit):
        main()
    assert os.environ["OPENBLAS_NUM_THREADS"] == after
