"""Model folders: what is read, when, and what is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.decode import ModelFolder, TranslationModel
from demotic.decode.model_folder import BINS, INDEX, LM, MODEL_TOML, MONO, WEIGHTS
from demotic.features import FeatureGroups, Weights


@pytest.fixture
def model(model_folder: Path) -> ModelFolder:
    return ModelFolder(model_folder)


def test_a_part_is_read_when_it_is_used(model_folder: Path, tmp_path: Path):
    for name in (MODEL_TOML, LM, INDEX):
        shutil.copy(model_folder / name, tmp_path / name)
    (tmp_path / WEIGHTS).write_text("no weights\n")
    model = TranslationModel(tmp_path)
    assert model.lm.order == 3 and len(model.index) > 100
    with pytest.raises(DemoticError, match=WEIGHTS):
        _ = model.weights


def test_what_is_written_is_read_again(model: ModelFolder, tmp_path: Path):
    written = ModelFolder(tmp_path / "model")
    assert not written.is_complete
    weights = Weights.from_dict({"Glue": -1.0, "id:a|b": 2.0})
    groups = FeatureGroups.from_text(b"id:a|b\t1\n")
    values = {**model.values, "tuned": {"learner": "nobody"}}
    written.write(values, model.parts(), model.preprocessor, weights, groups=groups)
    assert written.is_complete and written.values["tuned"] == {"learner": "nobody"}
    assert written.options == model.options and written.weights.to_dict() == weights.to_dict()
    assert written.part("groups.txt") and written.mono is None and written.bins is None
    for name in (LM, INDEX):
        assert (written.folder / name).read_bytes() == (model.folder / name).read_bytes()
    written.set_weights(Weights.from_dict({"Glue": 3.0}), {"learner": "somebody"})
    assert written.weights.to_dict() == {"Glue": 3.0}
    assert written.values == {**values, "tuned": {"learner": "somebody"}}


def test_parts_that_a_model_lacks_are_removed(model: ModelFolder, tmp_path: Path):
    written = ModelFolder(tmp_path)
    for name in (MONO, BINS):
        (tmp_path / name).write_text("of another model")
    written.write(model.values, model.parts(), model.preprocessor, model.weights)
    assert written.mono is None and written.bins is None


def test_a_copy_is_complete_only_at_its_end(
    model: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    copied: list[str] = []
    monkeypatch.setattr(
        "demotic.decode.model_folder.atomic_copy", lambda source, target: copied.append(target.name)
    )
    ModelFolder(tmp_path).copy_of(model, without=LM)
    assert copied[-1] == MODEL_TOML and LM not in copied and WEIGHTS in copied


def test_what_is_missing_is_named(model_folder: Path, tmp_path: Path):
    with pytest.raises(DemoticError, match=f"{MODEL_TOML} is missing"):
        TranslationModel(tmp_path)
    shutil.copy(model_folder / MODEL_TOML, tmp_path / MODEL_TOML)
    with pytest.raises(DemoticError, match=f"no {LM}"):
        TranslationModel(tmp_path)


def test_names_that_are_copied_keep_their_capitals(learnable: Path):
    """Each line those of its own, also where decoding is ahead of what has been read."""
    lines = ["", "der Mann, Xyzzy", *(f"der Mann {number}McFoo{number}" for number in range(40)), "UNESCO"]
    texts = list(TranslationModel(learnable).translate(lines, threads=2))
    for line, text in zip(lines, texts, strict=True):
        assert line.rsplit(" ", 1)[-1] in text
