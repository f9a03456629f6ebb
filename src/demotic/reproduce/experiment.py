"""An experiment: what a TOML file says about a table or figure of a paper.

The file describes the paper's own setting; its tables `[scale.small]`, `[scale.medium]` and `[scale.corpus]` override sizes and options. `corpus`
is the shape of the paper on whatever corpus is given: all of its training pairs, the paper's epochs, shards and share of selected features,
with fewer replicas. A file without it has the paper's own setting there. Nothing in here knows how a learner works: rows are configurations of `demotic tune`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.base.options import load_toml, options_from, options_to_dict, unknown_name
from demotic.pipeline.train_options import TrainOptions

SCALES = ("small", "medium", "corpus", "full")
MOST_MONO = {
    "small": 100_000,
    "medium": 2_000_000,
    "corpus": 0,
    "full": 0,
}  # `sizes.mono` of files that do not set it
Scale = Literal["small", "medium", "corpus", "full"]
Kind = Literal["systems", "corpus", "boxes", "curve", "effect", "bins"]
Tuning = Literal["dev", "news-dev", "train", "train+dev"]
Decoding = Literal["model", "best", "consensus"]  # by the best score, by minimum Bayes risk


@dataclass(frozen=True)
class Sizes:
    """How much data; 0: everything that the corpus has."""

    train: int = 0  # sentence pairs of the model
    mono: int = 0  # monolingual lines of its language model
    dev: int = 0  # sentences that weights are tuned on
    select: int = 0  # sentences that epochs and strengths are chosen on
    test: int = 0
    sentences: int = 0  # training pairs that are learnt from
    replicas: int = 1  # runs of each optimiser


@dataclass(frozen=True)
class Column:
    """A column of the table.

    `label`: text of the row. `bleu`: of the translations of `set` (dev, select, test, news-test; `tune`: what was learnt from, as
    the learner saw it; `seen`: training pairs that the model has seen). `features`: weights that are not 0. `active` and
    `reused`: the same where a group counts as one, and those that occur in long lists of the test set. `minutes`: of one run,
    by the clock on the wall; `cpu_minutes`: of processors, which other work on the machine hardly changes.
    `length`: words of the translations of `set` divided by those of the references.
    `p`: of the difference in BLEU to the row `difference`, by approximate randomisation over all replicas.
    """

    title: str = ""
    value: Literal[
        "label", "bleu", "p", "features", "active", "reused", "minutes", "cpu_minutes", "length"
    ] = "label"
    set: str = "test"
    decode: Decoding = "model"  # how translations are chosen: as the model says, or all alike
    system: str = ""  # variant of the row that is looked at; the row itself where it has none
    pair: int = 0  # language pair, from 1; 0: that of the row
    deviation: bool = False  # with the standard deviation over replicas
    epoch: bool = False  # with @ and the epoch that was chosen
    difference: str = ""  # with the difference to this row
    digits: int = 2

    @property
    def is_score(self) -> bool:
        """Whether it looks at translations."""
        return self.value in ("bleu", "p", "length")

    @property
    def translations(self) -> str:
        """Name of the translations that it looks at."""
        return self.set if self.decode == "model" else f"{self.set}-{self.decode}"


@dataclass(frozen=True)
class Row:
    """A configuration; its tuned weights are a system."""

    id: str = ""
    labels: dict[str, str] = field(default_factory=dict)  # by column
    published: dict[str, str] = field(default_factory=dict)  # figures of the paper by column
    group: str = ""  # of rows that are compared as one: the number of an algorithm
    learner: str = ""
    on: Tuning = "dev"
    features: tuple[str, ...] = ()  # templates
    discretize: str = ""  # such as bits=4,input=p
    options: dict[str, Any] = field(default_factory=dict)  # of the learner
    choose: bool = False  # the epoch on the set `select`
    start: str = ""  # row whose weights, replica by replica, are the start
    draws: Literal["same", "new"] = "same"  # training pairs that replicas learn from
    replicas: int = 0  # 0: as many as the sizes say
    sentences: int = 0  # of the training data, at most; 0: as many as the sizes say
    pair: int = 1  # language pair
    model: str = ""  # of `models`; a row that starts from another has the model of that one
    watch: tuple[str, ...] = ()  # sets whose BLEU is reported along the way
    variants: dict[str, dict[str, Any]] = field(default_factory=dict)  # changes, by name
    difference: tuple[str, ...] = ()  # no system, but the difference of two rows
    hidden: bool = False  # other rows start from it, and the table does not show it

    def name(self) -> str:
        """As the table has it."""
        return " ".join(filter(None, self.labels.values())) or self.id


@dataclass(frozen=True)
class Mark:
    """A sign beside scores that differ significantly.

    `against`: `row:ID`; `peers`: rows of other groups with the same templates, and the sign is their group, raised; `best`: the best row of
    the same group, which is printed bold; `others`: a row that beats all others of the table is printed bold.
    """

    against: str = ""
    symbol: str = ""
    test: Literal["randomization", "bootstrap"] = "randomization"
    p: float = 0.05
    sets: tuple[str, ...] = ("test", "news-test")


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper."""

    name: str = ""
    paper: str = ""
    title: str = ""
    kind: Kind = "systems"
    corpus: str = ""  # of the paper
    notes: tuple[str, ...] = ()
    base: TrainOptions = field(default_factory=TrainOptions)  # how the untuned model is made
    models: dict[str, dict[str, Any]] = field(default_factory=dict)  # others, by name: changes of `base`
    sizes: Sizes = field(default_factory=Sizes)
    options: dict[str, dict[str, Any]] = field(default_factory=dict)  # by learner
    overrides: dict[str, dict[str, Any]] = field(default_factory=dict)  # the same, of the scale: they win
    row_options: dict[str, dict[str, Any]] = field(
        default_factory=dict
    )  # of the scale, by row: they win over all
    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    marks: tuple[Mark, ...] = ()
    figure: dict[str, Any] = field(default_factory=dict)  # what the kind wants to know
    transposed: bool = False  # rows of the file are columns of the table
    shuffles: int = 10_000

    def row(self, id_: str) -> Row:
        """A row by its id."""
        for row in self.rows:
            if row.id == id_:
                return row
        raise unknown_name("row", id_, [row.id for row in self.rows], file=f"{self.name}.toml")

    def learner_options(self, row: Row) -> dict[str, Any]:
        """Options of a row's learner: of the learner, then of the row, then of the scale for the learner and for the row."""
        of_scale = {**self.overrides.get(row.learner, {}), **self.row_options.get(row.id, {})}
        return {**self.options.get(row.learner, {}), **row.options, **of_scale}

    def model_of(self, row: Row) -> str:
        """Name of the untuned model that a row comes from; "": the base."""
        seen = set()
        while row.start and row.id not in seen:  # a circle is refused elsewhere
            seen.add(row.id)
            row = self.row(row.start)
        return row.model

    @property
    def models_in_use(self) -> list[str]:
        """Names of the untuned models that there is use for, the base first."""
        return ["", *sorted({self.model_of(row) for row in self.systems()} - {""})]

    def model_options(self, name: str) -> TrainOptions:
        """How an untuned model is made."""
        if not name:
            return self.base
        if name not in self.models:
            raise unknown_name("model", name, list(self.models), file=f"{self.name}.toml")
        values = _merged(options_to_dict(self.base), self.models[name])
        return options_from(TrainOptions, values, file=f"{self.name}.toml", prefix=f"models.{name}.")

    def sentences(self, row: Row) -> int:
        """Training pairs that a row is learnt from; 0: all."""
        wanted = [count for count in (self.sizes.sentences, row.sentences) if count]
        return min(wanted, default=0)

    @property
    def pairs(self) -> int:
        """Language pairs that it has use for."""
        return max([1, *(row.pair for row in self.rows), *(column.pair for column in self.columns)])

    @property
    def sets(self) -> list[str]:
        """Sets of sentences, besides the training data, that it has use for."""
        learnt = [row.on.removeprefix("train+") for row in self.systems()]
        chosen = ["select" for row in self.systems() if row.choose]
        watched = [name for row in self.systems() for name in row.watch]
        shown = [column.set for column in self.columns if column.is_score]
        more = list(self.figure.get("sets", []))
        names = dict.fromkeys([*learnt, *chosen, *watched, *shown, *more])
        return [name for name in names if name not in ("train", "tune", "seen")]

    def systems(self) -> list[Row]:
        """Rows and their variants that weights are learnt for; variants are called ROW.VARIANT."""
        found = []
        for row in self.rows:
            if not row.learner:  # figures of the paper, or a difference of rows
                continue
            found.append(row)
            found += [self.variant(row, name) for name in row.variants]
        return found

    def variant(self, row: Row, name: str) -> Row:
        """A row with the changes of a variant; the row itself if it has none of that name."""
        if name not in row.variants:
            return row
        file = f"{self.name}.toml"
        changed = options_from(Row, row.variants[name], file=file, prefix=f"rows.{row.id}.variants.{name}.")
        changes = {key: getattr(changed, key) for key in row.variants[name]}
        return replace(row, **changes, id=f"{row.id}.{name}", variants={})


def experiment_names() -> list[str]:
    """Names of the experiments that come with Demotic."""
    return sorted(
        path.name.removesuffix(".toml") for path in _folder().iterdir() if path.name.endswith(".toml")
    )


def load_experiment(name: Pathish, scale: Scale = "full") -> Experiment:
    """An experiment by name, or from a TOML file of one's own.

    Args:
        name: such as `simianer2012-table2`, or a path that ends in `.toml`.
        scale: `full` is what the file says; the others override parts of it.
    """
    path = Path(name)
    if path.suffix != ".toml":
        if str(name) not in experiment_names():
            raise unknown_name("experiment", str(name), experiment_names())
        with resources.as_file(_folder() / f"{name}.toml") as packaged:
            return read_experiment(packaged, scale)
    return read_experiment(path, scale)


def read_experiment(path: Path, scale: Scale) -> Experiment:
    """An experiment from a TOML file, at a scale."""
    if scale not in SCALES:
        raise unknown_name("scale", str(scale), list(SCALES))
    values = load_toml(path)
    scales = values.pop("scale", {})
    values["overrides"] = scales.get(scale, {}).pop("options", {})
    experiment = options_from(Experiment, _merged(values, scales.get(scale, {})), file=path)
    mono = experiment.sizes.mono or MOST_MONO[scale]
    experiment = replace(experiment, name=path.stem, sizes=replace(experiment.sizes, mono=mono))
    _check(experiment, path)
    return experiment


def _merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced."""
    result = dict(values)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = _merged(result[key], value) if both else value
    return result


def _check(experiment: Experiment, path: Path) -> None:
    ids = [row.id for row in experiment.systems()]
    if not all(ids) or len(set(ids)) < len(ids):
        raise DemoticError("every row needs a unique id", path, hint='id = "mert"')
    references = [row.start for row in experiment.rows if row.start]
    references += [id_ for row in experiment.rows for id_ in row.difference]
    references += [
        column.difference for column in experiment.columns if column.difference or column.value == "p"
    ]
    references += [mark.against[4:] for mark in experiment.marks if mark.against.startswith("row:")]
    references += experiment.row_options
    references += [id_ for id_ in [experiment.figure.get("baseline")] if id_]
    for id_ in references:
        experiment.row(id_)
    for name in [*experiment.models, *(row.model for row in experiment.systems())]:
        experiment.model_options(name)
    for row in experiment.systems():
        if row.start and row.model:
            raise DemoticError(
                f"the row '{row.id}' has both start and model",
                path,
                hint="it has the model of the row it starts from",
            )
    for id_ in experiment.figure.get("curves", []):
        if not experiment.row(id_).choose:
            raise DemoticError(
                f"the row '{id_}' has no curve of epochs", path, hint="set choose = true in this row"
            )
    titles = [column.title for column in experiment.columns]
    if (lines := experiment.figure.get("by_minutes", "")) and lines not in titles:
        raise unknown_name("column", lines, titles, file=path)


def _folder() -> Any:
    return resources.files("demotic.reproduce") / "tables"
