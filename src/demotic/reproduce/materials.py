"""What the runs of an experiment start from: the text of its language pairs, and untuned models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from demotic.base.files import read_lines
from demotic.corpus import Preprocessor
from demotic.decode.model_folder import MODEL_TOML, ModelFolder
from demotic.evaluate import monolingual_leaks
from demotic.pipeline.train_options import TrainOptions
from demotic.reproduce.context import Context
from demotic.reproduce.corpus_folder import OPTIONAL, CorpusFolder, LanguagePair
from demotic.reproduce.data import Data, read_mono, read_set
from demotic.reproduce.experiment import Experiment
from demotic.reproduce.forecast import duration
from demotic.reproduce.learning_cost import model_seconds
from demotic.reproduce.options import ReproduceOptions
from demotic.reproduce.workspace import Workspace


def make_context(
    experiment: Experiment,
    corpus: CorpusFolder,
    workspace: Workspace,
    options: ReproduceOptions,
    say: Callable[[str], None],
) -> Context:
    """Text and untuned models of all language pairs that there is use for; made unless they are there.

    Args:
        experiment: at its scale.
        corpus: text to run it on.
        workspace: where everything is kept.
        options: how it is run.
        say: told lines for people.
    """
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
        say(f"{called} of {size_text(data)} {pair}: at most about {duration(seconds)}")
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


def size_text(data: Data) -> str:
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
