"""What all tests share: how hypothesis draws, which files are long, where the optional reference data lies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `demotic` does, before numpy is loaded
pytest_plugins = ["quick_figures", "ray_cluster", "small_model"]
# 15 to 25 seconds each
_LONG = ("test_ray.py", "test_oscar.py", "test_discretize.py", "test_reproduce.py", "test_train.py")
_EXPLORATIONS = 5  # times that `make test-all` runs a property, each time on other examples

# `make test` says the same every time, on every machine. A finding of `explore` becomes an @example of its test.
# The same examples in every run find nothing new: fewer of them than `explore` has, unless the test says how many.
# How busy the machine is must not decide.
_ANY_SPEED = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("fixed", **_ANY_SPEED, derandomize=True, max_examples=60)
hypothesis.settings.register_profile("explore", **_ANY_SPEED, print_blob=True)
hypothesis.settings.load_profile("fixed")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Several runs of each property where hypothesis explores: most tests say themselves how many examples one run has."""
    exploring = metafunc.config.getoption("--hypothesis-profile") == "explore"
    if exploring and hypothesis.is_hypothesis_test(metafunc.function):
        metafunc.fixturenames.append("exploration")
        metafunc.parametrize("exploration", range(_EXPLORATIONS), indirect=True, ids="exploration{}".format)


@pytest.fixture
def exploration(request: pytest.FixtureRequest) -> int:
    """The number of this run of a property."""
    return int(request.param)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first: at the end one of them would leave a worker alone with it."""
    items.sort(key=lambda item: item.path.name not in _LONG)


def shared_folder() -> Path | None:
    """The folder with reference data (`$DEMOTIC_SHARED`, or `shared` beside the checkout), if there is one."""
    folder = Path(os.environ.get("DEMOTIC_SHARED", Path(__file__).parents[2] / "shared"))
    return folder if (folder / "golden").is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference data; tests that need it are skipped where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("no reference data: set DEMOTIC_SHARED to a folder with golden/ and data/")
    return folder


@pytest.fixture(scope="session")
def golden(shared: Path) -> Path:
    """Exact outputs of established tools."""
    return shared / "golden"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
