"""Stages: done once, redone when their inputs change, whole or absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from demotic.base import DemoticError, Run
from demotic.base import digests as digests_module
from demotic.base.digests import FileDigests, file_digest


def stage(run: Run, source: Path, options=None, fail: bool = False) -> Path:
    def work(folder: Path) -> None:
        (folder / "out.txt").write_text(source.read_text().upper())
        if fail:
            raise DemoticError("no luck")

    return run.stage("shout", work, options=options, inputs={"source": source})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "in.txt").write_text("hello")
    return tmp_path / "in.txt"


def test_a_stage_runs_once(tmp_path: Path, source: Path):
    events: list[tuple[str, bool]] = []
    with Run(tmp_path / "run", lambda name, seconds: events.append((name, seconds is None))) as run:
        assert (stage(run, source) / "out.txt").read_text() == "HELLO"
        stage(run, source)
    assert events == [("shout", False), ("shout", True)]


@pytest.mark.parametrize(
    "change",
    ["input", "options", "output lost", "output cut", "bits flipped", "record cut", "record of another kind"],
)
def test_a_stage_runs_again_when_something_changed(tmp_path: Path, source: Path, change: str):
    events: list[tuple[str, bool]] = []
    with Run(tmp_path / "run", lambda name, seconds: events.append((name, seconds is None))) as run:
        out = stage(run, source, {"k": 1}) / "out.txt"
        if change == "input":
            source.write_text("world")
        elif change == "output lost":
            out.unlink()
        elif change == "output cut":
            out.write_text("HEL")
        elif change == "bits flipped":  # the same size
            out.write_text("JELLO")
        elif change == "record cut":
            (out.parent / "stage.json").write_text((out.parent / "stage.json").read_text()[:-9])
        elif change == "record of another kind":
            (out.parent / "stage.json").write_text('{"key": 1, "outputs": [1]}')
        stage(run, source, {"k": 2 if change == "options" else 1})
        assert out.read_text() == source.read_text().upper()
    assert events == [("shout", False), ("shout", False)]


def test_a_failing_stage_keeps_the_old_result_and_is_repeated(tmp_path: Path, source: Path):
    with Run(tmp_path / "run") as run:
        out = stage(run, source) / "out.txt"
        source.write_text("world")
        with pytest.raises(DemoticError, match="no luck"):
            stage(run, source, fail=True)
        assert out.read_text() == "HELLO"
        stage(run, source)
        assert out.read_text() == "WORLD"


def test_two_runs_in_one_folder(tmp_path: Path):
    with (
        Run(tmp_path),
        pytest.raises(DemoticError, match="another demotic process is using this folder"),
        Run(tmp_path),
    ):
        pass
    with Run(tmp_path):
        pass  # the lock is free again


def test_outputs_of_a_stage_are_inputs_of_the_next(tmp_path: Path, source: Path):
    """A later stage is keyed by the content of an earlier one, not by its time stamp."""
    ran = []
    with Run(tmp_path / "run") as run:
        for _ in range(2):
            first = stage(run, source) / "out.txt"
            run.stage("count", lambda out: ran.append((out / "n").write_text("5")), inputs={"text": first})
            (tmp_path / "run/shout/stage.json").unlink()
    assert len(ran) == 1


def test_a_file_is_hashed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    hashed: list[str] = []

    def counting(path: Path) -> str:
        hashed.append(Path(path).name)
        return file_digest(path)

    monkeypatch.setattr(digests_module, "file_digest", counting)
    file, digests = tmp_path / "large", FileDigests()
    file.write_text("one")
    os.utime(file, (1e9, 1e9))
    (tmp_path / "link").hardlink_to(file)
    assert digests.of(file) == digests.of(tmp_path / "link") == digests.of(str(file)) == file_digest(file)
    assert hashed == ["large"]
    file.write_text("two")  # the same size
    os.utime(file, (1e9, 1e9 + 1))
    assert digests.of(file) == file_digest(file)
    file.write_text("six")  # just now: perhaps changed again within a tick of the clock
    assert [digests.of(file), digests.of(file)] == [file_digest(file)] * 2
    assert len(hashed) == 4
    with pytest.raises(DemoticError, match="nowhere"):
        digests.of(tmp_path / "nowhere")


def test_a_part_of_a_run_knows_its_digests(tmp_path: Path):
    with Run(tmp_path / "run") as run, Run(tmp_path / "run" / "part", digests=run.digests) as part:
        assert part.digests is run.digests
