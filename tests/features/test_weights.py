"""The feature index, and weights in files."""

from __future__ import annotations

import contextlib
import gzip
import math
import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.features import FeatureIndex, Weights
from section_files import without_checksums

names = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=12).filter(
    lambda name: "=" not in name and "|||" not in name and not name.startswith("#")
)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(names, max_size=60))
def test_an_index_is_a_numbered_set(listed: list[str]):
    index, model = FeatureIndex(), dict[str, int]()
    for name in listed:
        assert index.intern(name) == model.setdefault(name, len(model))
    assert len(index) == len(model)
    assert all(index.find(name) == id_ and index.name(id_) == name for name, id_ in model.items())
    longer = "longer than any of them"
    assert index.find(longer) is None and longer not in index


@given(st.dictionaries(names, numbers, max_size=20), st.sampled_from(["w.txt", "w.txt.gz", "w.bin"]))
@settings(deadline=None)
def test_what_is_saved_is_loaded(values: dict[str, float], file: str):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        Weights.from_dict(values).save(path)
        assert Weights.load(path).to_dict() == {name: value for name, value in values.items() if value != 0}


@pytest.mark.parametrize("file", ["w.txt", "w.bin"])
def test_files_do_not_depend_on_ids(tmp_path: Path, file: str):
    values = {"b": 1.0, "shape:N|N": 0.1, "a": -2.0, "id:x|y": 0.0, "Glue": 0.0}
    Weights.from_dict(values).save(tmp_path / file)
    first = (tmp_path / file).read_bytes()
    Weights.from_dict(dict(reversed(values.items()))).save(tmp_path / file)
    assert (tmp_path / file).read_bytes() == first


def test_text_is_sorted_and_lists_dense_features_always(tmp_path: Path):
    values = {"shape:N|N": 0.1, "Glue": 0.0, "id:x|y": 0.0, "A": 1 / 3}
    Weights.from_dict(values).save(tmp_path / "w")
    assert (tmp_path / "w").read_text() == "A 0.3333333333333333\nGlue 0\nshape:N|N 0.1\n"


def test_weights_over_an_index_that_is_shared(tmp_path: Path):
    index = FeatureIndex()
    index.intern("new")
    (tmp_path / "w").write_text("a 1\nb 2\n")
    weights = Weights.load(tmp_path / "w", index)
    assert weights.values.tolist() == [0.0, 1.0, 2.0]
    index.intern("later")
    assert weights.get("later") == 0 and weights.get("unknown") == 0 and len(weights) == 2
    weights.set("latest", 3.0)
    assert weights.values.tolist() == [0.0, 1.0, 2.0, 0.0, 3.0]
    other = weights.copy()
    other.values += 1
    assert weights.get("a") == 1 and other.get("a") == 2 and other.index is index


def test_cdec_s_weights(golden: Path):
    weights = Weights.load(golden / "weights.txt")
    assert len(weights.index) == 12
    assert weights.get("LanguageModel") == 1.0 and weights.get("PassThrough") == -10.0


def test_comments_and_empty_lines_and_other_spaces(tmp_path: Path):
    (tmp_path / "w").write_bytes(b"# from cdec\n\n  a\t 1e-3  \r\nb -2")
    assert Weights.load(tmp_path / "w").to_dict() == {"a": 0.001, "b": -2.0}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"a", "a line must have two fields, name and value; this one has 1"),
        (b"a 1 2", "a line must have two fields, name and value; this one has 3"),
        (b"a x", "the weight of 'a' is not a finite number: 'x'"),
        (b"a 1x", "not a finite number"),
        (b"a nan", "not a finite number"),
        (b"a inf", "not a finite number"),
        (b"a 1e999", "not a finite number"),
        (b"Glue 2", "the feature 'Glue' is repeated; it was first set in line 2"),
        (b"a=b 2", "contains white space, '=' or '|||'"),
        (b"a\xff 2", "not valid UTF-8"),
        (b"a\x00 2", "NUL byte"),
    ],
)
def test_bad_lines(tmp_path: Path, line: bytes, message: str):
    path = tmp_path / "w"
    path.write_bytes(b"LanguageModel 1\nGlue 1\n\n" + line + b"\n")
    with pytest.raises(DemoticError, match=re.escape(f"{path}:4: ")) as error:
        Weights.load(path)
    assert message in str(error.value)


def test_files_that_are_not_there_or_damaged(tmp_path: Path):
    with pytest.raises(DemoticError, match="no such file"):
        Weights.load(tmp_path / "none")
    Weights.from_dict({f"id:{i}|x": i + 1.0 for i in range(50)}).save(tmp_path / "w.bin")
    good = (tmp_path / "w.bin").read_bytes()
    for cut in range(8, len(good), 97):
        (tmp_path / "cut.bin").write_bytes(good[:cut])
        with pytest.raises(DemoticError):
            Weights.load(tmp_path / "cut.bin")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"a 1\n" * 1000)[:-9])
    with pytest.raises(DemoticError, match="truncated"):
        Weights.load(tmp_path / "cut.gz")


@given(st.integers(0, 10_000), st.integers(0, 255))
@settings(max_examples=60, deadline=None)
def test_any_changed_byte_is_refused_or_gives_finite_weights(place: int, byte: int):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.bin"
        Weights.from_dict({f"id:{i}|x": i + 1.0 for i in range(5)}).save(path)
        data = bytearray(without_checksums(path.read_bytes()))
        data[place % len(data)] = byte
        path.write_bytes(data)
        with contextlib.suppress(DemoticError):
            assert np.isfinite(Weights.load(path).values).all()


@pytest.mark.parametrize("file", ["w.txt", "w.bin"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_weights_that_are_not_finite_are_not_saved(tmp_path: Path, file: str, value: float):
    with pytest.raises(DemoticError, match="the weight of 'a' must be a finite number"):
        Weights.from_dict({"a": value}).save(tmp_path / file)
    assert not list(tmp_path.iterdir())


def test_weights_are_one_row_of_numbers():
    with pytest.raises(DemoticError, match=r"got shape \(2, 2\)"):
        Weights(FeatureIndex(), np.zeros((2, 2)))


def test_many_features_in_bounded_memory():
    index = FeatureIndex()
    for i in range(100_000):
        index.intern(f"id:some_rule_{i}|of_average_length")
    assert index.bytes / len(index) < 100


def test_the_length_of_dense_weights_is_not_that_of_unknown_words():
    """Weights that translate alike have the same length: only the sum of the two of unknown words counts."""
    known = {"LanguageModel": 0.2, "WordPenalty": -0.3, "word_pair:a|b": 5.0}
    for shift in (0.0, 7.0):
        weights = Weights.from_dict(
            {**known, "PassThrough": -0.4 - shift, "LanguageModel_OOV": 0.1 + shift, "SourceOOV": 1.0}
        )
        assert weights.dense_length() == pytest.approx(0.5)
    assert Weights.from_dict({"PassThrough": -2.0}).dense_length() == 2.0
    assert Weights.from_dict({}).dense_length() == 0.0
