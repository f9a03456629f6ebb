"""The short form of `make chaos`: one job of each kind, disturbed once; and the service, cut off in the middle of a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUNNER = Path(__file__).with_name("runner.py")


def chaos(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A process of its own: it forks, which this one, with its threads, must not."""
    command = [sys.executable, "-W", "ignore", str(RUNNER), "--folder", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_learner_that_is_killed_and_limited(tmp_path: Path):
    done = chaos(tmp_path, "--job", "tune perceptron", "--kills", "1", "--kind", "kills", "--kind", "limits")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 findings" in done.stdout and "tune perceptron, killed: 1 done, 1 identical" in done.stdout


@pytest.mark.slow
def test_every_disturbance_of_every_job(tmp_path: Path):
    kinds = [
        part
        for kind in ("kills", "full", "limits", "readonly", "clock", "serve")
        for part in ("--kind", kind)
    ]
    done = chaos(tmp_path, "--kills", "25", *kinds)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 findings" in done.stdout
