"""Some damaged files for every reader, the same each time; `make fuzz MINUTES=n` has more."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from demotic.base import DemoticError, load_toml
from demotic.pipeline.search_space import read_space

HERE = Path(__file__).parent


@pytest.mark.slow  # what fuzzing has found has tests of its own
def test_damaged_files_end_in_a_result_or_an_error(tmp_path: Path):
    """In processes of their own, with limits on memory and time: they may crash, this one may not."""
    command = [sys.executable, HERE / "runner.py", tmp_path / "model", tmp_path / "files", "--inputs", "60"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *counts, total = [json.loads(line) for line in done.stdout.splitlines()]
    assert total["findings"] == 0, done.stderr
    assert all(each["inputs"] == 60 for each in counts)
    assert total["refused"] > 200  # damage is noticed
    assert total["read"] > 200  # and not all of it is fatal


def test_mutations_depend_on_the_seed_only():
    sys.path.insert(0, str(HERE))
    from mutate import mutated

    data = bytes(range(256))
    assert [mutated(data, Random(i)) for i in range(20)] == [mutated(data, Random(i)) for i in range(20)]
    assert len({mutated(data, Random(i)) for i in range(20)}) > 15


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_numbers_and_brackets_without_end_in_toml(tmp_path: Path, value: str):
    """Found in `bins.toml`: Python reads no number of more than 4,300 digits."""
    (tmp_path / "a.toml").write_text(f"a = {value}\n")
    with pytest.raises(DemoticError, match=r"a.toml(:\d+)?: not valid TOML"):
        load_toml(tmp_path / "a.toml")


@pytest.mark.parametrize("end", ["9" * 600, "-" + "9" * 600, "nan", "inf"])
def test_ranges_of_a_search_are_of_numbers_that_a_float_can_hold(tmp_path: Path, end: str):
    """Found in `--search F.toml`: Python makes no float of 600 digits."""
    (tmp_path / "a.toml").write_text(f'method = "random"\n[options.k]\nlow = {end}\nhigh = 1e9\n')
    with pytest.raises(DemoticError, match=r"a.toml: options.k must be a range"):
        read_space(tmp_path / "a.toml")
