"""Whole jobs: training from text to model, tuning, the demo, the tables of the papers."""

from demotic.experiments.train import TrainInput, TrainOptions, train
from demotic.experiments.tune import TuneInput, make_learner, tune

__all__ = ["TrainInput", "TrainOptions", "TuneInput", "make_learner", "train", "tune"]
