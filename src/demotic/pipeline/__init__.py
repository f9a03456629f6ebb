"""Whole jobs: training from text to model, tuning, the demo, the tables of the papers."""

from demotic.pipeline.train import TrainInput, TrainOptions, train
from demotic.pipeline.tune import TuneInput, make_learner, tune

__all__ = ["TrainInput", "TrainOptions", "TuneInput", "make_learner", "train", "tune"]
