"""Whole jobs: training from text to model, tuning, the demo, the tables of the papers."""

from demotic.learn.registry import make_learner
from demotic.pipeline.train import TrainInput, TrainOptions, train
from demotic.pipeline.tune import TuneInput, tune

__all__ = ["TrainInput", "TrainOptions", "TuneInput", "make_learner", "train", "tune"]
