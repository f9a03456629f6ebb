"""Learners: from sentences with references to weights."""

from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.online_learner import OnlineLearner
from demotic.learn.options import (
    CandidateOptions,
    PairOptions,
    SelectionOptions,
    ShardOptions,
)
from demotic.learn.perceptron import PerceptronOptions
from demotic.learn.task import Example, TuningTask, read_examples, training_examples
from demotic.learn.voting import vote

__all__ = [
    "CandidateOptions",
    "Example",
    "LearnSettings",
    "Learner",
    "OnlineLearner",
    "PairOptions",
    "PerceptronOptions",
    "SelectionOptions",
    "ShardOptions",
    "Tuned",
    "TuningTask",
    "read_examples",
    "training_examples",
    "vote",
]
