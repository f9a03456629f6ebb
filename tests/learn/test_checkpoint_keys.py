"""What checkpoints depend on, and what it costs to know it: files are hashed once, models opened once."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from demotic.base import digests as digests_module
from demotic.base.digests import digest_of
from demotic.base.run import Run
from demotic.cluster import executor
from demotic.decode import TranslationModel
from demotic.features import Weights, template, template_digests
from demotic.features.user_templates import import_user_templates
from demotic.grammar import GrammarIndex, Rule
from demotic.learn import Example, LearnSettings, TuningTask, make_learner, training_examples
from demotic.learn.fitting.keys import examples_digest, task_key
from demotic.learn.online.perceptron import PerceptronOptions
from demotic.lm import LanguageModel
from demotic.pipeline.tune import TuneInput, tune

HOLS: dict[str, Any] = {
    "k": 10,
    "folds": 2,
    "lm_folds": 2,
    "search_k": 5,
    "start_sentences": 4,
    "start_iterations": 1,
    "search_sentences": 5,
    "search_iterations": 1,
    "final_iterations": 1,
    "restarts": 0,
    "directions": 1,
}


def counted(owner: object, name: str, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a function is called, by the name of the file that is its first argument (after `self`)."""
    usual: Callable[..., Any] = getattr(owner, name)
    calls: Counter[str] = Counter()

    def counting(*arguments: Any, **rest: Any) -> Any:
        path = next(each for each in arguments if isinstance(each, str | os.PathLike))
        calls[Path(path).name] += 1
        return usual(*arguments, **rest)

    monkeypatch.setattr(owner, name, counting)
    return calls


def test_hols_hashes_and_opens_large_files_once(
    model_folder: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own = shutil.copytree(model_folder, tmp_path / "model")  # others have its files mapped
    for name in ("lm.bin", "index.bin"):  # not just written: see FileDigests
        os.utime(own / name, (1e9, 1e9))
    hashed = counted(digests_module, "file_digest", monkeypatch)
    opened = counted(GrammarIndex, "__init__", monkeypatch)
    files = TuneInput(
        own, corpus / "dev.de", [corpus / "dev.en"], on_train=True, sentences=16, templates=("id",)
    )
    with executor("local", 1) as workers:
        tune(files, make_learner("hols", HOLS), tmp_path / "out", workers)
    assert hashed["index.bin"] == hashed["lm.bin"] == 1
    # For the learner; for workers with the language models of folds; for workers on the dev set, with that of everything.
    assert opened["index.bin"] == 3


def test_parts_of_a_model_are_loaded_when_they_are_used(model_folder: Path, monkeypatch: pytest.MonkeyPatch):
    indexes = counted(GrammarIndex, "__init__", monkeypatch)
    lms, weights = counted(LanguageModel, "load", monkeypatch), counted(Weights, "load", monkeypatch)
    model = TranslationModel(model_folder)
    assert model.dense_features() and model.options.grammar.features == "cdec12"
    assert not indexes and not lms and not weights
    assert len(model.index) == len(model.index)
    assert (indexes, lms, weights) == ({"index.bin": 1}, {}, {})
    assert list(model.translate(["ein Haus"], 1)) and list(model.translate(["zwei"], 1))
    assert (indexes, lms, weights) == ({"index.bin": 1}, {"lm.bin": 1}, {"weights.txt": 1})


def test_the_digest_of_examples_is_that_of_their_list():
    examples = [Example("a b", ("c",), 3), Example("ä'\"\\", ("x", "y"))]
    for some in ([], examples[:1], examples):
        assert examples_digest(iter(some)) == digest_of(repr(some).encode())


# --- templates of the user ---------------------------------------------------------------------------------------------------


def learn(model_folder: Path, out: Path) -> tuple[str, list[str]]:
    """Weights, and the stages that ran."""
    files = TuneInput(model_folder, on_train=True, sentences=8, templates=("edited",))
    learner = make_learner("perceptron", {"epochs": 1, "k": 20})
    before = _stages(out)
    with executor("local", 1) as workers:
        tune(files, learner, out, workers)
    return (out / "weights.txt").read_text("utf-8"), _stages(out)[len(before) :]


def _stages(out: Path) -> list[str]:
    log = out / "run" / "metrics.jsonl"
    return [line for line in log.read_text("utf-8").splitlines() if '"stage"' in line] if log.exists() else []


def test_an_edited_template_is_learnt_anew(model_folder: Path, tmp_path: Path):
    @template("edited")
    def source_length(rule: Rule) -> str:
        return str(len(rule.source))

    first, ran = learn(model_folder, tmp_path / "a")
    assert "edited:" in first and ran
    assert learn(model_folder, tmp_path / "a") == (first, [])

    @template("edited")
    def target_length(rule: Rule) -> str:
        return f"target{len(rule.target)}"

    second, ran = learn(model_folder, tmp_path / "a")
    assert "edited:target" in second and ran
    assert second == learn(model_folder, tmp_path / "b")[0]


FILE = """
from demotic.features import template

def helper(rule):
    return {length}

@template("{name}")
def words(rule):
    return str(helper(rule))
"""


def test_the_whole_file_of_a_template_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A template that calls another function of its file changes with that one."""
    paths = []
    for name, length in (("of_file_a", "1"), ("of_file_b", "1"), ("of_file_c", "2")):
        path = tmp_path / f"{name}.py"
        path.write_text(FILE.format(name="same_name", length=length))
        paths.append(path)
    digests = []
    for path in paths:
        monkeypatch.setenv("DEMOTIC_TEMPLATES", str(path))
        import_user_templates()  # registers the name again
        digests += template_digests(["same_name"])
    assert digests[0] == digests[1] != digests[2]
    paths[2].write_text("")  # what counts is what was imported
    assert template_digests(["same_name"]) == digests[2:]


def test_templates_without_a_source():
    digests = []
    for body in ("'a'", "'a'", "'b'"):
        scope: dict[str, Any] = {}
        exec(f"def typed(rule): return [(each, 1.0) for each in {body}]", scope)
        template("typed_in")(scope["typed"])
        digests += template_digests(["typed_in"])
    assert digests[0] == digests[1] != digests[2]


def test_native_templates_are_known_by_name():
    names = ["id", "src_ngram:n=2", "ngram"]
    assert template_digests(names) == names


def test_a_key_depends_on_how_the_model_decodes_and_not_on_what_tuned_it(model_folder: Path, tmp_path: Path):
    examples = training_examples(TranslationModel(model_folder), 3)
    keys = []
    text = (model_folder / "model.toml").read_text("utf-8")
    for i, changed in enumerate(
        (text, text + '\n[tuned]\nlearner = "mert"\n', text.replace("pop_limit = 200", "pop_limit = 10"))
    ):
        folder = tmp_path / str(i)
        folder.mkdir()
        for name in ("lm.bin", "index.bin", "weights.txt"):
            (folder / name).symlink_to(model_folder / name)
        (folder / "model.toml").write_text(changed, "utf-8")
        with Run(tmp_path / "run") as run, executor("local", 1) as workers:
            settings = LearnSettings(run, workers)
            keys.append(task_key(TuningTask(folder, (), examples), PerceptronOptions(), settings))
    assert keys[0] == keys[1] != keys[2]
