"""Weights of a discretised feature over its bins: figure 7 of Clark, Dyer and Lavie (2014)."""

from __future__ import annotations

from demotic.experiments.reproduce.context import Context
from demotic.experiments.reproduce.result import Result
from demotic.experiments.reproduce.scores import Scores


def bin_figure(context: Context, scores: Scores) -> Result:
    """A step curve for each feature, with a log curve fitted to it."""
    raise NotImplementedError
