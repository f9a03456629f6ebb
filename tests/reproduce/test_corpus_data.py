"""What `demotic reproduce` reads from a corpus folder, and the models that it shares."""

from __future__ import annotations

import lzma
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from demotic.align import AlignOptions
from demotic.base import DemoticError
from demotic.base.files import read_lines
from demotic.decode.model_folder import ModelFolder
from demotic.grammar import ExtractOptions
from demotic.lm import LanguageModel
from demotic.pipeline.train_options import TrainOptions
from demotic.reproduce import SCALES, CorpusFolder, ReproduceOptions, load_experiment, reproduce
from demotic.reproduce.data import DataSet, read_mono, read_set
from demotic.reproduce.workspace import Workspace
from small_model import QUICK_ALIGNER
from tiny_experiment import BLEU, experiment

pytestmark = pytest.mark.usefixtures("quick_figures")


def test_corpus_folders(tmp_path: Path):
    with pytest.raises(DemoticError, match="no such folder"):
        CorpusFolder(tmp_path / "nowhere")
    for name in ("train300k.de", "train300k.en", "dev.de", "dev.en0", "dev.en1", "devtest.de", "devtest.en"):
        (tmp_path / name).write_text("a\n" * 10)
    folder = CorpusFolder(tmp_path)
    pair = folder.pairs[0]
    assert str(pair) == "de-en" and folder.train(pair).source.name == "train300k.de"
    assert [path.name for path in folder.role("dev", pair).references] == ["dev.en0", "dev.en1"]
    assert folder.role("select", pair).lines == "odd" and folder.role("test", pair).lines == "even"
    assert not folder.has("news-test", pair)
    (tmp_path / "test.de").write_text("a\n")
    (tmp_path / "test.en").write_text("a\n")
    assert folder.role("select", pair).lines == "all" and folder.role("test", pair).source.name == "test.de"
    (tmp_path / "dev.de").unlink()
    with pytest.raises(DemoticError, match=r"dev\.de is missing.*\n.*train\.de and \.en"):
        folder.role("dev", pair)
    (tmp_path / "train10k.de").write_text("a\n")
    with pytest.raises(DemoticError, match="could be the training data"):
        folder.train(pair)


def test_other_languages(tmp_path: Path):
    for language in ("fr", "cs", "en"):
        (tmp_path / f"train.{language}").write_text("a\n")
    assert [str(pair) for pair in CorpusFolder(tmp_path).pairs] == ["cs-en", "fr-en"]
    assert [str(pair) for pair in CorpusFolder(tmp_path, "fr").pairs] == ["fr-en", "cs-en"]


def test_another_version_is_refused(tmp_path: Path):
    Workspace(tmp_path)
    (tmp_path / "reproduce.json").write_text('{"demotic": "0.0.1"}')
    with pytest.raises(DemoticError, match=r"runs of demotic 0\.0\.1"):
        Workspace(tmp_path)


def test_models_of_one_text_share_its_alignment(corpus_folder: CorpusFolder, tmp_path: Path):
    text = DataSet(corpus_folder.folder / "train.de", (corpus_folder.folder / "train.en",), 150, "text")
    base = TrainOptions(align=QUICK_ALIGNER, learner="none")
    stages: list[tuple[str, bool]] = []
    workspace = Workspace(tmp_path, lambda name, seconds: stages.append((name, seconds is None)))
    first = workspace.model(text, base, 1, 1)
    assert not any(reused for _, reused in stages)
    stages.clear()
    second = workspace.model(text, replace(base, grammar=ExtractOptions(features="hiero8")), 1, 1)
    assert dict(stages) == {"prepare": True, "align": True, "bitext": True, "lm": False, "index": True}
    assert first != second and (first / "index.bin").read_bytes() == (second / "index.bin").read_bytes()
    shared = next((tmp_path / "aligned").iterdir())
    shutil.rmtree(shared / "index")  # half a copy is none, and nothing depends on it
    stages.clear()
    workspace.model(text, replace(base, grammar=ExtractOptions(features="clark8")), 1, 1)
    assert not any(reused for _, reused in stages)
    stages.clear()
    workspace.model(text, replace(base, align=AlignOptions(iterations=0.1)), 1, 1)
    assert not dict(stages)["align"]


def test_an_alignment_in_the_corpus_folder(corpus_folder: CorpusFolder, tmp_path: Path):
    """Lines are drawn together with the text; the model has what the file says."""
    folder = tmp_path / "corpus"
    shutil.copytree(corpus_folder.folder, folder)
    (folder / "train.de-en.align").write_text("".join(f"0-0 {i % 2}-0\n" for i in range(150)))
    aligned = CorpusFolder(folder)
    workspace = Workspace(tmp_path / "out")
    with workspace.text() as run:
        text = read_set(run, aligned, "train", aligned.pairs[0], 60, 1)
    source, links = (path.read_text("utf-8").splitlines() for path in (text.source, text.alignment))
    whole = (folder / "train.de").read_text("utf-8").splitlines()
    lines = [i for i, line in enumerate(whole) if line in set(source)]
    assert len(links) == 60 and len(text.references) == 1
    if len(lines) == 60:  # no sentence comes twice
        assert links == [f"0-0 {i % 2}-0" for i in lines]
    model = workspace.model(text, TrainOptions(learner="none"), 1, 1)
    assert set((model / "run/align/train.align").read_text().splitlines()) <= {"0-0 0-0", "0-0 1-0"}


def test_monolingual_text_of_a_corpus(corpus_folder: CorpusFolder, tmp_path: Path):
    """It is in the model and in the result; its preparation is shared, and alignment does not depend on it."""
    folder = tmp_path / "corpus"
    shutil.copytree(corpus_folder.folder, folder)
    text = DataSet(folder / "train.de", (folder / "train.en",), 150, "text")
    base = TrainOptions(align=QUICK_ALIGNER, learner="none")
    stages: dict[str, float | None] = {}
    workspace = Workspace(tmp_path / "out", stages.__setitem__)
    without = workspace.model(text, base, 1, 1)
    for number, lines in enumerate((["A wombat sleeps.", "A man."], ["A wombat's dog."])):
        with lzma.open(folder / f"mono.en{number}.xz", "wt", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    with workspace.text() as run_:
        mono = read_mono(run_, CorpusFolder(folder), "en", 0, 1)
        two = read_mono(run_, CorpusFolder(folder), "en", 2, 1)
        assert read_mono(run_, corpus_folder, "en", 0, 1) is None
    assert mono is not None and two is not None and (mono.lines, two.lines) == (3, 2)
    assert list(read_lines(mono.file)) == ["A wombat sleeps.", "A man.", "A wombat's dog."]
    assert set(read_lines(two.file)) < set(read_lines(mono.file)) and two.key != mono.key
    stages.clear()
    first = workspace.model(text, base, 1, 1, mono)
    assert {name for name, seconds in stages.items() if seconds is not None} == {"mono", "lm"}
    assert first != without and "wombat" in LanguageModel.load(first / "lm.bin")
    assert (first / "mono.txt.gz").exists() and not (without / "mono.txt.gz").exists()
    stages.clear()
    workspace.model(text, replace(base, grammar=ExtractOptions(features="hiero8")), 1, 1, mono)
    assert {name for name, seconds in stages.items() if seconds is not None} == {"lm"}
    stages.clear()
    assert workspace.model(text, base, 1, 1, two) != first
    assert stages["mono"] is not None


def test_a_table_with_monolingual_text(corpus_folder: CorpusFolder, tmp_path: Path):
    shutil.copytree(corpus_folder.folder, tmp_path / "corpus")
    shutil.copy(corpus_folder.folder / "dev.en", tmp_path / "corpus" / "mono.en")
    tiny = experiment(tmp_path, BLEU + '[[rows]]\nid = "m"\nlearner = "perceptron"\n')
    said: list[str] = []
    options = ReproduceOptions(threads=1)
    result, _ = reproduce(tiny, CorpusFolder(tmp_path / "corpus"), tmp_path / "out", options, say=said.append)
    assert said[0].startswith("model of 150 training pairs and 8 monolingual lines de-en: ")
    assert "(de-en: 150 training pairs and 8 monolingual lines)" in result.about[0]
    assert "de-en: 8 of 8 references of dev are in the monolingual text of the language model" in result.notes
    (system,) = (tmp_path / "out" / "systems").iterdir()
    assert len(list(read_lines(system / "mono.txt.gz"))) == 8


def test_scales_limit_monolingual_text():
    sizes = {scale: load_experiment("simianer2012-table3", scale).sizes.mono for scale in SCALES}
    assert sizes == {"small": 100_000, "medium": 2_000_000, "corpus": 0, "full": 0}
    assert load_experiment("simianer2012-table3").base.lm.vocabulary == "parallel"


def test_rows_of_other_models(corpus_folder: CorpusFolder, tmp_path: Path):
    """A row has the model that it names, or that of the row it starts from; the base's options hold where nothing is changed."""
    text = BLEU + "[models.bigrams]\nlm = { order = 2 }\n"
    for row, more in (("a", ""), ("b", 'model = "bigrams"'), ("c", 'start = "b"')):
        text += f'[[rows]]\nid = "{row}"\nlearner = "mert"\n{more}\n'
    tiny = experiment(tmp_path, text)
    assert tiny.models_in_use == ["", "bigrams"]
    said: list[str] = []
    result, _ = reproduce(tiny, corpus_folder, tmp_path / "out", ReproduceOptions(threads=1), say=said.append)
    assert any(line.startswith("model 'bigrams' of 150 training pairs") for line in said)
    models = {each["row"]: ModelFolder(Path(each["models"][0])) for each in result.data["systems"]}
    assert {row: model.lm.order for row, model in models.items()} == {"a": 3, "b": 2, "c": 2}
    assert {model.options.grammar.features for model in models.values()} == {"hiero8"}
