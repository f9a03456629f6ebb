"""The tables and figures of the papers as commands: each is a TOML file of configurations over the same learners."""

from demotic.reproduce.corpus_folder import CorpusFolder, LanguagePair
from demotic.reproduce.experiment import (
    SCALES,
    Experiment,
    experiment_names,
    load_experiment,
    read_experiment,
)
from demotic.reproduce.learning_cost import nominal_minutes
from demotic.reproduce.options import ReproduceOptions
from demotic.reproduce.result import Result, result_json
from demotic.reproduce.run import reproduce

__all__ = [
    "SCALES",
    "CorpusFolder",
    "Experiment",
    "LanguagePair",
    "ReproduceOptions",
    "Result",
    "experiment_names",
    "load_experiment",
    "nominal_minutes",
    "read_experiment",
    "reproduce",
    "result_json",
]
