"""A model that has forgotten pairs equals one that was built without them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapt.conftest import Lines
from demotic.adapt import LearningModel, forget, matching_pairs
from demotic.align.pharaoh import format_links
from demotic.base import DemoticError
from demotic.decode import TranslationModel
from demotic.decode.model_folder import INDEX, LM
from demotic.grammar import index_files
from demotic.lm import train


def expected_files(model: TranslationModel, left: list[int], folder: Path) -> tuple[bytes, bytes]:
    """Index and language model of some pairs, with the links that they have."""
    index = model.index
    sides = [
        [" ".join(index.source(i)) for i in left],
        [" ".join(index.target(i)) for i in left],
        [format_links(index.links(i)) for i in left],
    ]
    files = [folder / name for name in ("src", "tgt", "links")]
    for file, lines in zip(files, sides, strict=True):
        file.write_text("".join(line + "\n" for line in lines), "utf-8")
    index_files(files[0], files[1], files[2], folder / INDEX)
    train([files[1]], model.options.lm, folder / LM)
    return (folder / INDEX).read_bytes(), (folder / LM).read_bytes()


@given(numbers=st.sets(st.integers(0, 402), min_size=1, max_size=60))
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_equals_a_model_built_without_the_pairs(
    folder: Path, tmp_path: Path, corrections: Lines, numbers: set[int]
):
    model = LearningModel(folder)
    for source, target in corrections[:3]:
        model.learn(source, target)
    if len(model.index) < 403:  # some pairs of the corpus are dropped by cleaning
        numbers = {number % len(model.index) for number in numbers}
    done = forget(model, numbers, tmp_path / "new", threads=1)
    left = [i for i in range(len(model.index)) if i not in numbers]
    index, lm = expected_files(model, left, tmp_path)
    assert (tmp_path / "new" / INDEX).read_bytes() == index
    assert (tmp_path / "new" / LM).read_bytes() == lm
    new = TranslationModel(tmp_path / "new")
    assert new.weights.to_dict() == model.weights.to_dict()
    assert (done.pairs, done.left) == (len(numbers), len(new.index))
    assert not new.additions.pairs and any("links" in note for note in done.not_exact)


def test_pairs_by_pattern(folder: Path):
    model = TranslationModel(folder)
    word = model.index.target(0)[0]
    found = matching_pairs(model, rf"(^| ){word}( |$)")
    assert 0 in found
    assert found == [
        i for i in range(len(model.index)) if word in model.index.target(i) or word in model.index.source(i)
    ]
    for pattern in ("(", "a{99999999999999999999}", "(" * 5000 + ")" * 5000):
        with pytest.raises(DemoticError, match="not a regular expression"):
            matching_pairs(model, pattern)


def test_what_cannot_be_forgotten(folder: Path, tmp_path: Path):
    model = TranslationModel(folder)
    size = len(model.index)
    for numbers, message in (
        (range(size), "no pair would be left"),
        ([], "no pair to forget"),
        ([size], f"there is no pair {size + 1}"),
    ):
        with pytest.raises(DemoticError, match=message):
            forget(model, numbers, tmp_path / "new")
    with pytest.raises(DemoticError, match="another folder"):
        forget(model, [0], folder)
