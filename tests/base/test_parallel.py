from __future__ import annotations

import itertools

import pytest

from demotic.base.errors import DemoticError
from demotic.base.parallel import parallel_map


def square(x: int) -> int:
    return x * x


def refuse(x: int) -> int:
    raise DemoticError("bad item", "f.txt", x, "hint")


def die(x: int) -> int:
    import os

    os._exit(3)


@pytest.mark.parametrize("workers", [1, 3])
def test_results_in_order_and_input_as_a_stream(workers: int):
    taken = itertools.count()
    stream = (next(taken) for _ in range(50))
    results = parallel_map(square, stream, workers)
    assert next(results) == 0
    assert next(taken) <= 2 * workers + 3  # an endless stream would do
    assert list(results)[0] == 1


def test_errors_come_through_with_their_place():
    with pytest.raises(DemoticError, match="f.txt:7: bad item"):
        list(parallel_map(refuse, [7], 2))


def test_a_dead_worker_is_an_error():
    with pytest.raises(DemoticError, match="a worker process died"):
        list(parallel_map(die, [1, 2], 2))
