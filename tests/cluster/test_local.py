from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cluster_jobs import Hashing, Refusing, Traced, plain_loop
from demotic.base.errors import DemoticError
from demotic.cluster import executor
from ray_cluster import eventually


@given(st.lists(st.integers(0, 100), max_size=12), st.binary(max_size=20), st.sampled_from([1, 2, 5]))
@settings(max_examples=25, deadline=None)
def test_results_are_those_of_a_plain_loop_whatever_the_workers(
    shards: list[int], broadcast: bytes, workers: int
):
    with executor("local", workers) as pool:
        job = Hashing("salt", rest=0.0005)
        assert list(pool.map(job, shards, broadcast)) == plain_loop(job, shards, broadcast)


def test_prepare_runs_once_for_equal_jobs(tmp_path: Path):
    job = Traced(tmp_path / "log")
    with executor("local", 3) as pool:
        for _ in range(3):
            assert list(pool.map(Traced(tmp_path / "log"), range(5), b"")) == [b"%d" % i for i in range(5)]
    assert len(job.events("prepare")) == 1
    assert len(job.events("run")) == 15


@pytest.mark.parametrize("workers", [1, 3])
def test_results_stream_with_a_bounded_number_in_flight(tmp_path: Path, workers: int):
    job = Traced(tmp_path / "log")
    with executor("local", workers) as pool:
        for yielded, _ in enumerate(pool.map(job, range(20), b"")):
            time.sleep(0.005)
            assert len(job.events("run")) <= yielded + 2 * workers + 1


def test_on_done_hears_every_shard_once():
    done: list[int] = []
    with executor("local", 4) as pool:
        list(pool.map(Hashing(rest=0.002), range(10), b"", done.append))
    assert sorted(done) == list(range(10))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_first_refused_shard_is_named_and_keeps_its_place(workers: int):
    received = []
    with executor("local", workers) as pool, pytest.raises(DemoticError) as caught:
        for result in pool.map(Refusing((3, 5)), range(8), b""):
            received.append(result)
    assert received == [b"\0", b"\1", b"\2"]
    error = caught.value
    assert error.message == "bad item 3 (shard 4 of 8)"
    assert (error.file, error.line, error.hint) == ("f.txt", 7, "mend it")
    assert isinstance(error.__cause__, DemoticError)


def test_other_exceptions_become_errors_that_name_the_shard():
    with (
        executor("local", 2) as pool,
        pytest.raises(DemoticError, match=r"TypeError: .*\(shard 2 of 2\)") as caught,
    ):
        list(pool.map(Hashing(), [0, None], b""))  # type: ignore[list-item]
    assert isinstance(caught.value.__cause__, TypeError)


def test_an_error_stops_the_other_shards(tmp_path: Path):
    slow = Traced(tmp_path / "log", rest=60)

    class FailsAtOnce(Traced):
        def run(self, context: Path, shard: int, broadcast: bytes) -> bytes:
            if shard == 0:
                raise DemoticError("no")
            return slow.run(context, shard, broadcast)

    with executor("local", 3) as pool, pytest.raises(DemoticError, match="no"):
        list(pool.map(FailsAtOnce(tmp_path / "log"), range(9), b""))
    assert not slow.events("end")
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("shard-")]


def test_a_shard_that_missed_the_end_is_told_again(tmp_path: Path):
    slow = Traced(tmp_path / "log", rest=60)

    class HardOfHearing(Traced):
        def run(self, context: Path, shard: int, broadcast: bytes) -> bytes:
            if shard == 0:
                raise DemoticError("no")
            with suppress(BaseException):  # as a finaliser does
                slow.run(context, shard, broadcast)
            return slow.run(context, shard, broadcast)

    with executor("local", 2) as pool, pytest.raises(DemoticError, match="no"):
        list(pool.map(HardOfHearing(tmp_path / "log"), range(4), b""))
    assert not slow.events("end")


def test_interrupt_ends_promptly_and_leaves_no_thread(tmp_path: Path, interruptible: None):
    job = Traced(tmp_path / "log", rest=60)

    def interrupt() -> None:
        eventually(lambda: len(job.events("run")) == 2)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with executor("local", 2) as pool, pytest.raises(KeyboardInterrupt):
        list(pool.map(job, range(4), b""))
    assert not job.events("end")
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("shard-")]


def test_leaving_the_results_cancels_the_rest(tmp_path: Path):
    with executor("local", 2) as pool:
        results = pool.map(Traced(tmp_path / "log"), range(100), b"")
        assert next(results) == b"0"
        results.close()  # type: ignore[attr-defined]
    assert len(Traced(tmp_path / "log").events("run")) <= 5


def test_the_executor_can_be_used_after_a_failure():
    with executor("local", 2) as pool:
        with pytest.raises(DemoticError):
            list(pool.map(Refusing((0,)), [0], b""))
        assert list(pool.map(Refusing(()), [1], b"")) == [b"\1"]


def test_wrong_names_and_numbers_of_workers():
    with pytest.raises(DemoticError, match="did you mean 'local'"):
        executor("locale")
    with pytest.raises(DemoticError, match="workers must be at least 0"):
        executor("local", -1)
