"""A process that dies while it learns: nothing that was acknowledged is lost, and the end is the same to the byte."""

from __future__ import annotations

import os
import shutil
import signal
import stat
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pytest

from adapt.conftest import Lines
from demotic.adapt import LearningModel
from demotic.decode.additions import ADDITIONS

Moment = Literal["nothing written", "half written", "written", "on disk"]


def learn_and_die(folder: Path, corrections: Lines, nth: int, moment: Moment) -> int:
    """Learn in another process that kills itself while it appends its nth record; returns how many it acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            model = LearningModel(folder)
            _die_at(nth, moment, model.additions.end)
            for source, target in corrections:
                if model.learn(source, target):
                    os.write(writer, b".")
        finally:
            os._exit(1)
    os.close(writer)
    with open(reader, "rb") as acknowledged:
        count = len(acknowledged.read())
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return count


def _die_at(nth: int, moment: Moment, end: int) -> None:
    usual, sizes = os.fsync, [end]  # of the log after each record

    def fsync(descriptor: int) -> None:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return usual(descriptor)
        if len(sizes) == nth:
            before = sizes[-1]
            if moment == "nothing written":
                os.truncate(descriptor, before)
            elif moment == "half written":
                os.truncate(descriptor, (before + status.st_size) // 2)
            elif moment == "on disk":
                usual(descriptor)
            os.kill(os.getpid(), signal.SIGKILL)
        sizes.append(status.st_size)
        usual(descriptor)

    os.fsync = fsync


def uninterrupted(learnable: Path, corrections: Lines, folder: Path) -> bytes:
    """The log of a process that does not die."""
    model = LearningModel(copy_of(learnable, folder))
    for source, target in corrections:
        assert model.learn(source, target)
    return (folder / ADDITIONS).read_bytes()


def copy_of(learnable: Path, folder: Path) -> Path:
    return shutil.copytree(learnable, folder, ignore=shutil.ignore_patterns("run"))


def check_kills(
    learnable: Path, corrections: Lines, folder: Path, kills: list[tuple[int, Moment]], expected: bytes
) -> int:
    """Kill a process at these moments, one after the other, until everything is learnt; returns how often."""
    log = copy_of(learnable, folder) / ADDITIONS
    killed = before = 0
    for nth, moment in kills:
        if before + nth > len(corrections):
            break
        acknowledged = learn_and_die(folder, corrections, nth, moment)
        killed += 1
        assert acknowledged == nth - 1
        survived = len(LearningModel(folder).additions.pairs)
        assert survived == before + acknowledged + (moment in ("written", "on disk"))
        assert expected.startswith(log.read_bytes())
        before = survived
    model = LearningModel(folder)
    for source, target in corrections:
        model.learn(source, target)
    assert log.read_bytes() == expected
    return killed


def test_kills_at_every_moment(learnable: Path, corrections: Lines, tmp_path: Path):
    expected = uninterrupted(learnable, corrections[:5], tmp_path / "whole")
    kills = [(1 + number % 2, moment) for number, moment in enumerate(get_args(Moment))]
    assert check_kills(learnable, corrections[:5], tmp_path / "killed", kills, expected) == 4


@pytest.mark.slow
def test_two_hundred_kills(learnable: Path, corrections: Lines, tmp_path: Path):
    rng, kills, rounds = np.random.default_rng(1), 0, 0
    expected = uninterrupted(learnable, corrections, tmp_path / "whole")
    while kills < 200:
        drawn = [(1 + int(rng.integers(2)), get_args(Moment)[int(rng.integers(4))]) for _ in range(12)]
        kills += check_kills(learnable, corrections, tmp_path / str(rounds), drawn, expected)
        rounds += 1
