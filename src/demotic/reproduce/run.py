"""`demotic reproduce`: a table or figure of a paper, on any corpus."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.base.json_text import parse_json
from demotic.base.run import OnStage
from demotic.corpus import Preprocessor
from demotic.decode.model_folder import MODEL_TOML, ModelFolder
from demotic.evaluate import monolingual_leaks
from demotic.pipeline.train_options import TrainOptions
from demotic.report.figures import need_matplotlib
from demotic.reproduce.budget import shrink, within
from demotic.reproduce.context import Context
from demotic.reproduce.corpus_folder import OPTIONAL, CorpusFolder, LanguagePair
from demotic.reproduce.data import Data, read_mono, read_set
from demotic.reproduce.experiment import Experiment
from demotic.reproduce.forecast import Forecaster, duration
from demotic.reproduce.kinds import KINDS
from demotic.reproduce.learning_cost import model_seconds
from demotic.reproduce.page import write_page
from demotic.reproduce.result import Result, write_result
from demotic.reproduce.scores import Scores
from demotic.reproduce.systems import plan_runs, run_all
from demotic.reproduce.workspace import Workspace

_PLAN = "plan.json"


@dataclass(frozen=True)
class ReproduceOptions:
    """How an experiment is run.

    Attributes:
        label: of the folder of results, behind the name: the scale.
        budget: seconds; 0: as many as it takes.
        seed: of everything random.
        threads: of this machine.
        cluster: where shards run.
    """

    label: str = "full"
    budget: float = 0.0
    seed: int = 1
    threads: int = 1
    cluster: str = "local"


def reproduce(
    experiment: Experiment,
    corpus: CorpusFolder,
    out: Pathish,
    options: ReproduceOptions | None = None,
    *,
    say: Callable[[str], None] | None = None,
    on_stage: OnStage | None = None,
) -> tuple[Result, list[Path]]:
    """Run an experiment; killed and run again it goes on. Returns the result and the files it was written to.

    Args:
        experiment: from `load_experiment`.
        corpus: text to run it on.
        out: folder for everything; other experiments may use the same and share what they can.
        options: how.
        say: told lines for people.
        on_stage: told `(name, seconds)` as each stage of text and model ends; None: it was done before.
    """
    need_matplotlib()
    options = options or ReproduceOptions()
    say = say or (lambda line: None)
    started = time.perf_counter()
    workspace = Workspace(out, on_stage)
    folder = workspace.results(f"{experiment.name}-{options.label}")
    plan = _Plan(folder / _PLAN, options.budget)
    experiment = plan.apply(experiment)
    context = _context(experiment, corpus, workspace, options, say)
    levels = plan_runs(context)
    if any(levels):
        forecaster = Forecaster(context)
        left = options.budget - (time.perf_counter() - started)
        if options.budget and not plan.is_made:
            share, forecast = within(max(0.0, left), forecaster, levels)
            cut = shrink(experiment, share, _available(context)) if share < 1 else experiment
            plan.make(cut, experiment)
            if cut != experiment:
                experiment = cut
                context = _context(experiment, corpus, workspace, options, say)
                levels = plan_runs(context)
        else:
            forecast = forecaster.forecast(levels)
        for note in plan.notes:
            say(note)
        say(f"forecast: {forecast}")
    scores = Scores(run_all(context, levels), experiment.shuffles, options.seed, options.threads)
    result = KINDS[experiment.kind](context, scores)
    notes = [*result.notes, *_minutes(context), *plan.notes, *context.notes, *experiment.notes]
    result = replace(result, notes=notes, about=_about(context, corpus))
    files = write_result(result, folder)
    return result, [*files, *write_page(result, context, scores, folder / "report.html")]


def _context(
    experiment: Experiment,
    corpus: CorpusFolder,
    workspace: Workspace,
    options: ReproduceOptions,
    say: Callable[[str], None],
) -> Context:
    """Text and untuned models of all language pairs that there is use for."""
    pairs = corpus.pairs[: experiment.pairs]
    data, models, notes = [], [], []
    for pair in pairs:
        found, missing = _data(experiment, corpus, workspace, pair, options.seed)
        data.append(found)
        notes += [note for note in missing if note not in notes]
        models.append(
            {
                name: _model(experiment.model_options(name), name, found, workspace, options, say)
                for name in experiment.models_in_use
            }
        )
        notes += _leak_notes(found, models[-1][""])
    if len(pairs) < experiment.pairs:
        notes.append(
            f"the paper has {experiment.pairs} language pairs, this corpus {len(pairs)}: rows and columns of the others are left out"
        )
    return Context(
        experiment, workspace, data, models, options.seed, options.threads, options.cluster, say, notes
    )


def _model(
    wanted: TrainOptions,
    name: str,
    data: Data,
    workspace: Workspace,
    options: ReproduceOptions,
    say: Callable[[str], None],
) -> Path:
    """Folder of an untuned model, made unless it is there."""
    pair = data.pair
    prepare = replace(wanted.prepare, source_language=pair.source, target_language=pair.target)
    wanted = replace(wanted, learner="none", prepare=prepare)
    if not (workspace.model_folder(data.train, wanted, options.seed, data.mono) / MODEL_TOML).exists():
        seconds = model_seconds(data.train, options.threads, data.mono)
        called = f"model '{name}'" if name else "model"
        say(f"{called} of {_size(data)} {pair}: at most about {duration(seconds)}")
    return workspace.model(data.train, wanted, options.seed, options.threads, data.mono)


def _data(
    experiment: Experiment, corpus: CorpusFolder, workspace: Workspace, pair: LanguagePair, seed: int
) -> tuple[Data, list[str]]:
    """The text of a language pair, and what is missing of it and can be done without."""
    sizes, sets, missing = experiment.sizes, {}, []
    counts = {"dev": sizes.dev, "news-dev": sizes.dev, "select": sizes.select}
    for name in experiment.sets:
        if name in OPTIONAL and not corpus.has(name, pair):
            missing.append(f"no {name} in this corpus: rows and columns that need it are left out")
            continue
        corpus.role(name, pair)  # all files are looked for before anything is read
    with workspace.text() as run:
        train = read_set(run, corpus, "train", pair, sizes.train, seed)
        mono = read_mono(run, corpus, pair.target, sizes.mono, seed)
        for name in experiment.sets:
            if name not in OPTIONAL or corpus.has(name, pair):
                sets[name] = read_set(run, corpus, name, pair, counts.get(name, sizes.test), seed)
    return Data(pair, train, sets, mono), missing


def _size(data: Data) -> str:
    """Of the text of a model, for people."""
    mono = f" and {data.mono.lines:,} monolingual lines" if data.mono else ""
    return f"{data.train.sentences:,} training pairs{mono}"


def _leak_notes(data: Data, model: Path) -> list[str]:
    """References that the language model has read."""
    mono = ModelFolder(model).mono
    if mono is None:
        return []
    preprocessor = Preprocessor.load(model)
    notes = []
    for name, text in data.sets.items():
        versions = [
            [preprocessor.words(line, "target") for line in read_lines(path)] for path in text.references
        ]
        found = monolingual_leaks(mono, versions)
        if found.whole:
            notes.append(
                f"{data.pair}: {len(found.whole):,} of {found.sentences:,} references of {name} are in the monolingual text of the language model"
            )
    return notes


def _available(context: Context) -> dict[str, int]:
    data = context.data[0]
    dev = data.sets.get("dev") or next(iter(data.sets.values()))
    return {"dev": dev.sentences, "train": data.train.sentences}


def _about(context: Context, corpus: CorpusFolder) -> list[str]:
    """What the figures are of."""
    experiment, first = context.experiment, context.data[0]
    pairs = ", ".join(f"{data.pair}: {_size(data)}" for data in context.data)
    sets = ", ".join(f"{name} {text.sentences:,}" for name, text in first.sets.items())
    notes = [f"our corpus: {corpus.folder.resolve().name} ({pairs}); sentences: {sets}"]
    if experiment.corpus:
        notes.append(
            f"the paper's corpus is another: {experiment.corpus}. Its figures show the pattern, not what to expect"
        )
    return notes


def _minutes(context: Context) -> list[str]:
    if context.experiment.kind != "systems":
        return []
    kinds = {column.value for column in context.experiment.columns}
    notes = ["CPU minutes: of one run, all its threads together"] if "cpu_minutes" in kinds else []
    if "minutes" in kinds or not notes:  # the table adds them where nothing is said of time
        threads = f"{context.threads} threads shared by the runs going on at the same time"
        notes.append(f"minutes: wall-clock time of one run, {threads}")
    return notes


class _Plan:
    """Sizes that a budget led to. They are kept: run again, the same runs are found, however fast the machine is then."""

    def __init__(self, file: Path, budget: float) -> None:
        self._file, self._budget = file, budget
        self.notes: list[str] = []
        self.is_made = False

    def apply(self, experiment: Experiment) -> Experiment:
        """The sizes of an earlier run with the same budget and the same experiment."""
        if not self._budget:
            return experiment
        try:
            kept = parse_json(self._file.read_text("utf-8"))
            if kept["budget"] != self._budget or kept["from"] != asdict(experiment.sizes):
                return experiment
            sizes, notes = replace(experiment.sizes, **kept["sizes"]), list(kept["notes"])
        except (OSError, ValueError, KeyError, TypeError):  # none, or a damaged one: it is made again
            return experiment
        self.is_made, self.notes = True, notes
        return replace(experiment, sizes=sizes)

    def make(self, shrunk: Experiment, before: Experiment) -> None:
        """Keep the sizes."""
        sizes = asdict(shrunk.sizes)
        old = asdict(before.sizes)
        changes = {name: value for name, value in sizes.items() if value != old[name]}
        said = ", ".join(f"{name} {old[name] or 'all'} -> {value:,}" for name, value in changes.items())
        self.notes = [f"cut down to the budget of {self._budget / 60:g} min: {said}"] if said else []
        kept = {
            "budget": self._budget,
            "from": old,
            "sizes": sizes,
            "notes": self.notes,
        }
        with atomic_write(self._file) as file:
            json.dump(kept, file)
