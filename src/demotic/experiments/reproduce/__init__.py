"""The tables and figures of the papers as commands: each is a TOML file of configurations over the same learners."""

from demotic.experiments.reproduce.budget import parse_budget
from demotic.experiments.reproduce.corpus_folder import CorpusFolder, LanguagePair, expected_names
from demotic.experiments.reproduce.experiment import (
    SCALES,
    Experiment,
    experiment_names,
    load_experiment,
    read_experiment,
)
from demotic.experiments.reproduce.learning_cost import nominal_minutes
from demotic.experiments.reproduce.result import Result, result_json
from demotic.experiments.reproduce.run import ReproduceOptions, reproduce

__all__ = [
    "SCALES",
    "CorpusFolder",
    "Experiment",
    "LanguagePair",
    "ReproduceOptions",
    "Result",
    "expected_names",
    "experiment_names",
    "load_experiment",
    "nominal_minutes",
    "parse_budget",
    "read_experiment",
    "reproduce",
    "result_json",
]
