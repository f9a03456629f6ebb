"""The same results from a cluster of two nodes, whatever happens to them. One cluster for all tests of this file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import demotic
from cluster_jobs import Dying, Hashing, Refusing, Traced, plain_loop
from demotic.base.errors import DemoticError, DemoticWarning
from demotic.cluster import crew, executor
from ray_cluster import assert_all_gone, eventually, processes


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_are_those_of_a_plain_loop_whatever_the_workers(cluster: Any, workers: int):
    job = Hashing("salt", rest=0.002)
    with executor("ray", workers) as pool:
        for size, broadcast in [(0, b""), (1, b"a"), (23, os.urandom(300_000))]:
            assert list(pool.map(job, range(size), broadcast)) == plain_loop(job, range(size), broadcast)


def test_prepare_runs_once_per_process_and_results_stream(cluster: Any, tmp_path: Path):
    job = Traced(tmp_path / "log", meetings=(0,))
    with executor("ray") as pool:
        for epoch in range(3):
            done: list[int] = []
            for yielded, result in enumerate(pool.map(job, range(12), b"", done.append)):
                assert result == b"%d" % yielded
                assert len(job.events("run")) <= 12 * epoch + yielded + 2 * pool.workers + 1
            assert sorted(done) == list(range(12))
    pids = [pid for pid, _, _ in job.events("prepare")]
    assert len(pids) == len(set(pids)) == 2
    assert {pid for pid, _, _ in job.events("run")} <= set(pids)


def test_errors_of_a_shard_keep_their_place_and_are_not_tried_again(cluster: Any):
    with executor("ray") as pool:
        received = []
        with pytest.raises(DemoticError, match=r"bad item 3 \(shard 4 of 8, worker on ") as caught:
            for result in pool.map(Refusing((3, 5)), range(8), b""):
                received.append(result)
        assert received == [b"\0", b"\1", b"\2"]
        assert (caught.value.file, caught.value.line, caught.value.hint) == ("f.txt", 7, "mend it")
        with pytest.raises(DemoticError, match=r"TypeError: .* \(shard 2 of 2, worker on "):
            list(pool.map(Hashing(), [0, None], b""))  # type: ignore[list-item]
        with pytest.raises(DemoticError, match=r"^lm\.bin: no such file or directory \(worker on ") as caught:
            list(pool.map(Refusing(model="lm.bin"), range(8), b""))
        assert caught.value.hint == "check the path"
        assert list(pool.map(Refusing(), [1], b"")) == [b"\1"]


def test_workers_that_die_at_first_change_nothing(cluster: Any, tmp_path: Path):
    with executor("ray") as pool, pytest.warns(DemoticWarning) as caught:
        assert list(pool.map(Dying(tmp_path, (-1, 2), 1), range(6), b"w")) == plain_loop(
            Hashing(), range(6), b"w"
        )
    messages = sorted(str(warning.message) for warning in caught)
    # A worker that dies early enough has not said where it runs.
    assert re.match(r"preparing: worker( on \S+)? died \(attempt 1 of 4\): ", messages[0])
    assert re.match(r"shard 3 of 6: worker( on \S+)? died \(attempt 1 of 4\): ", messages[1])


def test_a_worker_that_dies_every_time_ends_the_work_with_its_log(cluster: Any, tmp_path: Path):
    with executor("ray", retries=1) as pool:
        with pytest.warns(DemoticWarning), pytest.raises(DemoticError) as caught:
            list(pool.map(Dying(tmp_path, (2,), 1000), range(4), b""))
        assert re.match(r"shard 3 of 4: worker( on \S+)? died \(attempt 2 of 2\): ", caught.value.message)
        assert caught.value.message.endswith("\n    last words of shard 2")
        with pytest.warns(DemoticWarning), pytest.raises(DemoticError) as caught:
            list(pool.map(Dying(tmp_path, (-1,), 1000), range(4), b""))
        assert re.match(r"preparing: worker( on \S+)? died", caught.value.message)
        assert caught.value.message.endswith("\n    last words of shard -1")


def test_a_killed_worker_a_lost_node_and_a_new_one_change_nothing(cluster: Any, tmp_path: Path):
    job = Traced(tmp_path / "log", rest=0.1, meetings=(0, 20))
    with executor("ray") as pool, pytest.warns(DemoticWarning) as caught:
        results = pool.map(job, range(24), b"")
        received = [next(results)]
        eventually(lambda: len(job.events("run")) > len(job.events("end")))
        os.kill(job.events("run")[-1][0], signal.SIGKILL)
        received += islice(results, 5)
        (second,) = cluster.worker_nodes
        cluster.remove_node(second, allow_graceful=False)
        received += islice(results, 5)
        cluster.add_node(num_cpus=1)
        received += results
    assert received == [b"%d" % shard for shard in range(24)]
    orphans = 1  # a worker that outlives its lost node for a moment is handed to the first process
    assert len({node for _, node, _ in job.events("run")} - {orphans}) == 3
    assert any(" died (attempt 1 of 4): " in str(warning.message) for warning in caught)


def test_interrupt_ends_promptly_and_the_workers_with_it(cluster: Any, tmp_path: Path, interruptible: None):
    job = Traced(tmp_path / "log", rest=60)

    def interrupt() -> None:
        eventually(lambda: bool(job.events("run")))
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with executor("ray") as pool, pytest.raises(KeyboardInterrupt):
        list(pool.map(job, range(4), b""))
    assert not job.events("end")


def test_waiting_for_a_free_cpu_is_said(cluster: Any, monkeypatch: pytest.MonkeyPatch):
    with executor("ray") as taking, executor("ray") as waiting, warnings.catch_warnings():
        list(taking.map(Hashing(rest=0.1), range(8), b""))
        monkeypatch.setattr(crew, "_PATIENCE", 1)
        warnings.simplefilter("error", DemoticWarning)
        with pytest.raises(DemoticWarning, match="no worker could be started"):
            list(waiting.map(Hashing(), range(2), b""))


def test_nodes_must_have_the_same_version(cluster: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(demotic, "__version__", "9.9")
    with executor("ray") as pool, pytest.raises(DemoticError, match=r"this is 9\.9"):
        list(pool.map(Hashing(), [1], b""))


DRIVER = """
import sys, time
from pathlib import Path
from cluster_jobs import Dying, Traced
from demotic.cluster import executor
folder = Path(sys.argv[1])
with executor("ray", 2, address="local") as pool:
    print(b"".join(pool.map(Dying(folder, (1,), 1), range(4), b"")).hex(), flush=True)
    list(pool.map(Traced(folder / "log", rest=600), range(4), b""))
"""


def test_an_instance_of_its_own_is_quiet_and_ends_with_its_killed_driver(ray_folder: Path, tmp_path: Path):
    own = Path(tempfile.mkdtemp(dir=ray_folder))
    environment = os.environ | {"RAY_TMPDIR": str(own)}
    said, complained = tmp_path / "stdout", tmp_path / "stderr"
    with said.open("w") as stdout, complained.open("w") as stderr:
        command = [sys.executable, "-c", DRIVER, str(tmp_path)]
        driver = subprocess.Popen(command, env=environment, stdout=stdout, stderr=stderr)
    try:
        eventually(lambda: len(Traced(tmp_path / "log").events("run")) == 2, complained.read_text)
        assert any("raylet" in name for name in processes(own).values())
    finally:
        driver.kill()
        driver.wait()
    assert said.read_text() == b"".join(plain_loop(Hashing(), range(4), b"")).hex() + "\n"
    lines = complained.read_text().splitlines()
    assert all("DemoticWarning" in line for line in lines if not line.startswith(" ")), lines
    assert_all_gone(own)


def test_a_cluster_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch, ray_folder: Path):
    from demotic.cluster import ray

    monkeypatch.setattr(ray.import_ray(), "is_initialized", lambda: False)
    with pytest.raises(DemoticError, match=r"cannot join the Ray cluster '127.*: no answer"):
        executor("ray", address="127.0.0.1:1")
    monkeypatch.setenv("RAY_ADDRESS", "nonsense")
    with pytest.raises(DemoticError, match="cannot join the Ray cluster 'nonsense'"):
        executor("ray")


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DemoticError, match="Ray is not installed") as caught:
        executor("ray")
    assert "demotic[cluster]" in caught.value.hint
