"""Cutting an experiment down to the time there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from demotic.base.errors import DemoticError
from demotic.reproduce.experiment import Experiment
from demotic.reproduce.forecast import LEAST, Forecast, Forecaster, duration, share_of
from demotic.reproduce.systems import PlannedRun


def within(
    budget: float, forecaster: Forecaster, levels: Sequence[Sequence[PlannedRun]]
) -> tuple[float, Forecast]:
    """The largest share of the sentences that are learnt from with which the runs stay within a budget, and their forecast.

    Args:
        budget: seconds.
        forecaster: that knows the speeds.
        levels: the runs with all sentences.

    Raises:
        DemoticError: if even the least is too much.
    """
    full = forecaster.forecast(levels)
    if full.seconds <= budget:
        return 1.0, full
    low, high = 0.0, 1.0
    if forecaster.forecast(levels, low).seconds > budget:
        least = forecaster.forecast(levels, low)
        raise DemoticError(
            f"the budget of {duration(budget)} is too small: even {LEAST} sentences per set take {duration(least.seconds)}",
            hint="raise --budget, or lower --scale",
        )
    for _ in range(30):  # bisection, to a billionth
        middle = (low + high) / 2
        if forecaster.forecast(levels, middle).seconds <= budget:
            low = middle
        else:
            high = middle
    return low, forecaster.forecast(levels, low)


def shrink(experiment: Experiment, share: float, available: Mapping[str, int]) -> Experiment:
    """The experiment with a share of the sentences that are learnt from; what it is tested on stays.

    Args:
        experiment: at its scale.
        share: up to 1.
        available: sentences that there are of `dev` and `train`.
    """
    sizes = experiment.sizes
    dev = share_of(min(sizes.dev or available["dev"], available["dev"]), share)
    sentences = share_of(min(sizes.sentences or available["train"], available["train"]), share)
    return replace(experiment, sizes=replace(sizes, dev=dev, sentences=sentences))
