"""JSON that others have damaged: one kind of error for all of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.json_text import parse_json
from demotic.base.run import damaged_outputs
from demotic.learn.workers.message import Message
from demotic.report.history import read_history
from demotic.reproduce.system_job import Clock, Spent

BRACKETS = "[" * 100_000


@pytest.mark.parametrize("text", ["", "{", "9" * 5000, b"\xff", BRACKETS, '{"a":' * 100_000])
def test_what_is_no_json_is_a_value_error(text: str | bytes):
    with pytest.raises(ValueError):
        parse_json(text)


def test_json_is_read():
    assert parse_json('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}


def test_brackets_without_end_in_the_record_of_a_stage(tmp_path: Path):
    """Found by fuzzing: a stage whose record cannot be read is not done."""
    (tmp_path / "stage.json").write_text(BRACKETS)
    assert damaged_outputs(tmp_path) == ["stage.json"]


def test_brackets_without_end_in_a_log_and_a_message(tmp_path: Path):
    (tmp_path / "metrics.jsonl").write_text(json.dumps({"epoch": 1}) + f"\n{BRACKETS}\n")
    with pytest.raises(DemoticError, match=r"metrics\.jsonl:2: not valid JSON"):
        read_history(tmp_path)
    with pytest.raises(DemoticError, match="damaged message"):
        Message.unpack(BRACKETS.encode()[:50_000] + b"\n")


def test_a_clock_with_lines_that_were_cut_off(tmp_path: Path):
    """Seconds of an experiment: a full disk leaves half a line, which costs its seconds and nothing else."""
    clock = Clock(tmp_path / "clock.jsonl")
    with clock:
        pass
    spent, was_interrupted = clock.read()
    assert spent.wall >= 0 and spent.cpu >= 0 and not was_interrupted
    with open(tmp_path / "clock.jsonl", "a") as file:
        file.write('{"seconds": 1.5, "cpu_seconds": 2}\n{"began"\n[1]\n{"seconds": "x", "cpu_seconds": 1}\n')
    assert clock.read() == (Spent(spent.wall + 1.5, spent.cpu + 2), True)
