"""The log of additions: whole records or none."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapt.conftest import Lines
from demotic.adapt import LearningModel
from demotic.base import DemoticError
from demotic.decode.additions import ADDITIONS, AddedPair, append_record, index_name, read_additions
from demotic.decode.model_folder import INDEX, ModelFolder

PAIRS = [AddedPair(f"quelle {i}", f"ziel {i}\u2028", "0-0", {"Glue": i / 3}) for i in range(4)]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of four pairs, and an index for it."""
    folder = tmp_path_factory.mktemp("log")
    (folder / INDEX).write_bytes(b"index")
    end = 0
    for pair in PAIRS:
        end = append_record(folder / ADDITIONS, folder / INDEX, end, {"do": "learn", **vars(pair)})
    return folder / ADDITIONS


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_a_log_cut_off_anywhere_keeps_its_whole_records(log: Path, data: st.DataObject):
    text = log.read_bytes()
    cut = data.draw(st.integers(0, len(text)))
    whole = text[:cut].count(b"\n")
    other = log.parent / "cut.log"
    other.write_bytes(text[:cut] + data.draw(st.sampled_from([b"", b"\0\0\0", b"0000002"])))
    found = read_additions(other, log.parent / INDEX)
    assert list(found.pairs) == PAIRS[: max(0, whole - 1)]
    append_record(other, log.parent / INDEX, found.end, {"do": "learn", **vars(PAIRS[0])})
    assert list(read_additions(other, log.parent / INDEX).pairs) == [*found.pairs, PAIRS[0]]


def test_damage_before_the_end_is_an_error(log: Path, tmp_path: Path):
    text = log.read_bytes()
    second = text.index(b"\n") + 1
    for place in (second, second + 3, second + 30):
        damaged = tmp_path / "damaged.log"
        damaged.write_bytes(text[:place] + b"f" + text[place + 1 :])
        with pytest.raises(DemoticError, match="damaged here") as error:
            read_additions(damaged, log.parent / INDEX)
        assert error.value.line == 2


def test_a_log_of_another_model_is_refused(log: Path, tmp_path: Path):
    (tmp_path / INDEX).write_bytes(b"another index")
    with pytest.raises(DemoticError, match="belongs to another model"):
        read_additions(log, tmp_path / INDEX)


@pytest.mark.parametrize(
    "record",
    [{"do": "dance"}, {"do": "learn"}, {"do": "undo", "last": 5}, {"do": "undo", "last": "x"}, {"do": "log"}],
)
def test_records_that_are_none(log: Path, tmp_path: Path, record: dict[str, str]):
    copy = shutil.copy(log, tmp_path / ADDITIONS)
    append_record(copy, log.parent / INDEX, copy.stat().st_size, record)
    with pytest.raises(DemoticError, match="no record") as error:
        read_additions(copy, log.parent / INDEX)
    assert error.value.line == 6


@pytest.mark.parametrize(
    "text", [b"nonsense", b"[" * 100_000, b"[]", b'{"do":"merge","index":"%s","pairs":"x"}']
)
def test_records_with_a_right_checksum_that_are_none(log: Path, tmp_path: Path, text: bytes):
    other = tmp_path / "log"
    text = text.replace(b"%s", index_name(log.parent / INDEX).encode())
    other.write_bytes(log.read_bytes() + b"%08x %08x " % (len(text), zlib.crc32(text)) + text + b"\n")
    with pytest.raises(DemoticError, match="log:6: this is no record of a log of additions"):
        read_additions(other, log.parent / INDEX)


def test_retraining_in_the_same_folder_drops_the_log(model: LearningModel, corrections: Lines):
    model.learn(*corrections[0])
    parts = {name: path for name, path in model.parts().items() if name != ADDITIONS}
    ModelFolder(model.folder).write(model.values, parts, model.preprocessor, model.weights)
    assert not LearningModel(model.folder).additions.pairs
