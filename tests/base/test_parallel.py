from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from demotic.base.errors import DemoticError
from demotic.base.parallel import parallel_map


def square(x: int) -> int:
    return x * x


def refuse(x: int) -> int:
    raise DemoticError("bad item", "f.txt", x, "hint")


def die(x: int) -> int:
    os._exit(3)


@pytest.mark.parametrize("workers", [1, 3])
def test_results_in_order_and_input_as_a_stream(workers: int):
    taken: list[int] = []
    stream = (taken.append(i) or i for i in itertools.count())  # type: ignore[func-returns-value]
    results = parallel_map(square, stream, workers)
    assert list(itertools.islice(results, 10)) == [i * i for i in range(10)]
    assert len(taken) <= 10 + 2 * workers
    results.close()  # type: ignore[attr-defined]


def process(_: int) -> int:
    return os.getpid()


def test_a_process_is_started_only_for_more_than_one_item():
    assert list(parallel_map(process, iter([1]), 2)) == [os.getpid()]
    assert list(parallel_map(process, [], 2)) == []
    assert os.getpid() not in parallel_map(process, [1, 2], 2)


def wait_or_write(item: tuple[Path, bool]) -> bool:
    path, is_first = item
    if not is_first:
        path.touch()
    for _ in range(300):
        if path.exists():
            return True
        time.sleep(0.1)
    return False


def test_one_long_item_of_a_list_keeps_no_worker_waiting(tmp_path: Path):
    """The first item ends only when the last has begun, which is further away than a stream is read ahead."""
    items = (
        [(tmp_path / "last", True)]
        + [(tmp_path / f"{i}", False) for i in range(6)]
        + [(tmp_path / "last", False)]
    )
    assert all(parallel_map(wait_or_write, items, 2))


def test_errors_come_through_with_their_place():
    with pytest.raises(DemoticError, match=r"f\.txt:7: bad item"):
        list(parallel_map(refuse, [7, 8], 2))


def test_a_dead_worker_is_an_error():
    with pytest.raises(DemoticError, match="a worker process died"):
        list(parallel_map(die, [1, 2], 2))


def test_a_script_needs_no_guard(tmp_path: Path):
    """Workers do not run the script again, which would start workers in its turn."""
    (tmp_path / "script.py").write_text(
        "from math import sqrt\nfrom demotic.base.parallel import parallel_map\nprint(list(parallel_map(sqrt, [4, 9, 16], 2)))\n"
    )
    result = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("[2.0, 3.0, 4.0]\n", "")
