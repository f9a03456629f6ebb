"""Weights do not depend on how many threads BLAS has, in programs that use the Python API as well."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from scipy.sparse import random as random_matrix
from threadpoolctl import threadpool_info, threadpool_limits

from demotic.base.blas import one_blas_thread
from demotic.learn import Learner, LearnSettings, Tuned, TuningTask
from demotic.learn.batch.logistic import logistic_loss, minimize
from demotic.learn.cost import DataSizes, Decodings
from demotic.learn.regularizers import L2


def blas_threads() -> set[int]:
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


class Looking(Learner):
    name = "looking"

    def fit(self, task: TuningTask, settings: LearnSettings) -> Tuned:
        self.seen = blas_threads()
        raise KeyError("the limit ends with errors, too")

    def decodings(self, sizes: DataSizes) -> Decodings:
        return Decodings(1, 1, 1)


def test_every_learner_has_one_blas_thread():
    learner, nothing = Looking(), Any
    with threadpool_limits(3, user_api="blas"):
        with pytest.raises(KeyError):
            learner.fit(nothing, nothing)  # type: ignore[arg-type]
        assert learner.seen == {1} and blas_threads() == {3}


def test_the_limit_stays_until_the_last_one_leaves():
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with one_blas_thread():
            entered.set()
            leave.wait()

    thread = threading.Thread(target=other)
    with threadpool_limits(3, user_api="blas"):
        with one_blas_thread():
            thread.start()
            entered.wait()
        assert blas_threads() == {1}
        leave.set()
        thread.join()


def test_logistic_regression_is_the_same_to_the_byte():
    columns = 40_000  # enough for BLAS to share sums
    differences = random_matrix(300, columns, 0.002, "csr", random_state=np.random.default_rng(5))
    found = []
    for threads in (1, 2, 5):
        with threadpool_limits(threads, user_api="blas"):
            weights, value = minimize(logistic_loss(differences, [L2(1e-4)]), np.zeros(columns))
        found.append((weights.tobytes(), value))
    assert found[0] == found[1] == found[2]
