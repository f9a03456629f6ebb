"""Learners: from sentences with references to weights."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.learn.batch.batch_learner import BatchLearner
    from demotic.learn.batch.batch_mira import BatchMiraOptions
    from demotic.learn.batch.batch_options import BatchOptions, Optimizer, Optimum
    from demotic.learn.batch.expected_bleu import XbleuOptions
    from demotic.learn.batch.mert import MertOptions
    from demotic.learn.batch.pool import KBestPool
    from demotic.learn.batch.pro import Pro, ProOptions
    from demotic.learn.cost import DataSizes, Decodings
    from demotic.learn.hols.hols_learner import HolsLearner
    from demotic.learn.hols.hols_options import HolsOptions
    from demotic.learn.labels import labelled, read_labels
    from demotic.learn.learner import Learner, LearnSettings, Tuned
    from demotic.learn.online.adagrad import AdaGradOptions
    from demotic.learn.online.expected_bleu import (
        ExpectedBleuOptions,
        expected_cost,
        expected_linear_bleu,
    )
    from demotic.learn.online.l1 import L1Learner, L1Options
    from demotic.learn.online.max_violation import MaxViolationOptions, forced_violation, max_violation
    from demotic.learn.online.mira import MiraOptions
    from demotic.learn.online.online_learner import OnlineLearner
    from demotic.learn.online.perceptron import PerceptronOptions
    from demotic.learn.online.rampion import RampionOptions
    from demotic.learn.online.soft_ramp import SoftRampOptions, soft_ramp3
    from demotic.learn.online.svm import SvmOptions
    from demotic.learn.options import (
        CandidateOptions,
        PairOptions,
        SelectionOptions,
        ShardOptions,
    )
    from demotic.learn.oscar.oscar_learner import OscarLearner
    from demotic.learn.oscar.oscar_options import OscarOptions
    from demotic.learn.registry import make_learner
    from demotic.learn.regularizers import L2, PullTo, Regularizer
    from demotic.learn.task import Example, TuningTask, read_examples, training_examples
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "L2",
    "AdaGradOptions",
    "BatchLearner",
    "BatchMiraOptions",
    "BatchOptions",
    "CandidateOptions",
    "DataSizes",
    "Decodings",
    "Example",
    "ExpectedBleuOptions",
    "HolsLearner",
    "HolsOptions",
    "KBestPool",
    "L1Learner",
    "L1Options",
    "LearnSettings",
    "Learner",
    "MaxViolationOptions",
    "MertOptions",
    "MiraOptions",
    "OnlineLearner",
    "Optimizer",
    "Optimum",
    "OscarLearner",
    "OscarOptions",
    "PairOptions",
    "PerceptronOptions",
    "Pro",
    "ProOptions",
    "PullTo",
    "RampionOptions",
    "Regularizer",
    "SelectionOptions",
    "ShardOptions",
    "SoftRampOptions",
    "SvmOptions",
    "Tuned",
    "TuningTask",
    "XbleuOptions",
    "expected_cost",
    "expected_linear_bleu",
    "forced_violation",
    "labelled",
    "make_learner",
    "max_violation",
    "read_examples",
    "read_labels",
    "soft_ramp3",
    "training_examples",
]
