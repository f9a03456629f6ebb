"""Whole jobs: training from text to model, tuning, the demo, the tables of the papers."""

from demotic.learn.registry import make_learner
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions
from demotic.pipeline.tune import TuneInput, tune

__all__ = ["TrainInput", "TrainOptions", "TuneInput", "make_learner", "train", "tune"]
