"""Learners: from sentences with references to weights."""

from demotic.learn.learner import Learner, LearnSettings, Tuned
from demotic.learn.options import (
    CandidateOptions,
    PairOptions,
    PerceptronOptions,
    SelectionOptions,
    ShardOptions,
)
from demotic.learn.ranking import RankingLearner
from demotic.learn.task import Example, TuningTask, read_examples, training_examples
from demotic.learn.voting import vote

__all__ = [
    "CandidateOptions",
    "Example",
    "LearnSettings",
    "Learner",
    "PairOptions",
    "PerceptronOptions",
    "RankingLearner",
    "SelectionOptions",
    "ShardOptions",
    "Tuned",
    "TuningTask",
    "read_examples",
    "training_examples",
    "vote",
]
