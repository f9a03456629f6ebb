"""What learning costs on a machine and a corpus that are not there to be measured."""

from __future__ import annotations

from demotic.base.errors import DemoticError
from demotic.learn import DataSizes, make_learner
from demotic.reproduce.data import DataSet, MonoText
from demotic.reproduce.experiment import Experiment, Row, Sizes

LEARNING = 1.4  # with what is learnt from a list: a rule of thumb


def nominal_minutes(experiment: Experiment) -> float:
    """Minutes on a corpus like Multi30k and two cores: for `--list`, where nothing can be measured."""
    pairs_of_model = min(experiment.sizes.train or _NOMINAL.train, _NOMINAL.train)
    seconds = _NOMINAL_BASE * pairs_of_model / _NOMINAL.train * min(2, experiment.pairs)
    seconds *= len(experiment.models_in_use)
    for row in experiment.systems():
        pairs = {column.pair for column in experiment.columns if column.pair} or {row.pair}
        runs = (row.replicas or experiment.sizes.replicas) * min(2, len(pairs))
        seconds += runs * _nominal_seconds(experiment, row) / _NOMINAL_CORES
    return seconds / 60


def model_seconds(text: DataSet, threads: int, mono: MonoText | None = None) -> float:
    """About how long a model of some training text takes: preparation and alignment are nearly all of it, linear in the text at most."""
    seconds = _NOMINAL_BASE * text.source.stat().st_size / _NOMINAL_BYTES * 2
    if mono is not None:
        seconds += _MONO_SECONDS * mono.file.stat().st_size
    return seconds / max(1, min(_NOMINAL_CORES, threads))


_NOMINAL = Sizes(train=29_000, dev=1014, select=1000, test=1000, sentences=29_000)
_NOMINAL_BASE, _NOMINAL_BYTES = (
    13.0,
    2_100_000,
)  # seconds for preparation, alignment, language model and index of so much source text, on two cores
_NOMINAL_CORES = 2
_MONO_SECONDS = 1.6e-6  # to tokenise a byte of monolingual text and count its n-grams, on one core
_NOMINAL_SPEED, _NOMINAL_LIST = 0.012, 0.00007  # seconds a sentence, and a hypothesis of its list


def _nominal_seconds(experiment: Experiment, row: Row) -> float:
    sizes = {
        name: min(getattr(experiment.sizes, name) or most, most)
        for name, most in vars(_NOMINAL).items()
        if name != "replicas"
    }
    try:
        learner = make_learner(row.learner, experiment.learner_options(row))
    except DemoticError:
        return 0.0
    wanted = min(experiment.sentences(row) or sizes["sentences"], sizes["sentences"])
    learnt = DataSizes(
        wanted if row.on.startswith("train") else sizes["dev"],
        sizes["dev"] if row.on == "train+dev" else 0,
        sizes["select"] if row.choose else 0,
    )
    work = learner.decodings(learnt)
    shown = [column.set for column in experiment.columns if column.is_score]
    tested = sum(sizes.get(name, sizes["test"]) for name in shown)
    per_list = _NOMINAL_SPEED + _NOMINAL_LIST * work.k
    return float(LEARNING * work.lists * per_list + (work.looked_at + tested) * _NOMINAL_SPEED)
