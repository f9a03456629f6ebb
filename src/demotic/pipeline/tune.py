"""`demotic tune`: from a model and sentences with references to a model with learnt weights."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish, make_folder
from demotic.base.options import options_to_dict
from demotic.base.run import Run
from demotic.cluster import Executor
from demotic.corpus.text import split_words
from demotic.decode import TranslationModel
from demotic.decode.model_folder import ModelFolder
from demotic.evaluate import leak_check
from demotic.features import LABELLED, DiscretizeOptions, FeatureGroups, TemplateSet, Weights, class_sizes
from demotic.features.groups import GROUPS
from demotic.grammar import GrammarIndex
from demotic.learn import (
    Example,
    Learner,
    LearnSettings,
    Tuned,
    TuningTask,
    labelled,
    read_examples,
    training_examples,
)
from demotic.pipeline.class_lms import with_class_lms
from demotic.pipeline.classes import with_classes
from demotic.pipeline.discretize import discretized

TUNING_SECONDS = "tuning_seconds"  # in `run/metrics.jsonl`, for each time that the command ran


@dataclass(frozen=True)
class TuneInput:
    """What is learnt from.

    Attributes:
        model: folder of the model to start from.
        source: sentences, with `references`; or `on_train`; or both, where these are the dev set of the learner.
        references: one or more files.
        on_train: learn on the pairs of the model's own index, each decoded as if it were not there.
        sentences: how many of these, drawn at random; 0: all.
        labels: for templates in conjunction with labels: one a line, for each sentence or, with `on_train`, for each pair of the index.
        dev_labels: those of the dev set, with `on_train`.
        held_out_labels: those of the held-out set. Sets that are only watched are decoded without labels.
        held_out_source: other sentences, to choose the epoch on.
        held_out_references: their translations.
        held_out_lines: `odd` keeps the even lines for reporting.
        watched: name, source and references of sets whose quality is only reported.
        tokenized: the files are tokenised already.
        templates: sparse features; None: the model's own or, without any, those that the learner wants. Word classes that they need
            and the model lacks are made.
        groups: of features that share a weight: a `groups.txt` or a model that has one; "none"; "": the model's own, if it has some.
        class_lms: language models over so many word classes that the model is to have, too; None: those that it has or, without any,
            those that the learner wants.
        discretize: bins instead of dense features; None: the features of the model as they are.
        start_from: folder of another tuned model, whose weights are where a learner with `start = "model"` begins.
    """

    model: Pathish
    source: Pathish | None = None
    references: Sequence[Pathish] = ()
    on_train: bool = False
    sentences: int = 0
    held_out_source: Pathish | None = None
    held_out_references: Sequence[Pathish] = ()
    held_out_lines: str = "all"
    watched: Sequence[tuple[str, Pathish, Sequence[Pathish]]] = ()
    tokenized: bool = False
    templates: tuple[str, ...] | None = None
    class_lms: tuple[int, ...] | None = None
    groups: str = ""
    discretize: DiscretizeOptions | None = None
    start_from: Pathish | None = None
    labels: Pathish | None = None
    dev_labels: Pathish | None = None
    held_out_labels: Pathish | None = None


def tune(
    files: TuneInput,
    learner: Learner,
    out: Pathish,
    executor: Executor,
    *,
    seed: int = 1,
    data_seed: int | None = None,
    on_epoch: Callable[[Mapping[str, Any]], None] | None = None,
) -> Tuned:
    """Learn weights and write a model that has them; killed and run again it goes on and ends with the same bytes.

    Args:
        files: what is learnt from.
        learner: how.
        out: folder of the tuned model; checkpoints lie in its sub-folder `run`.
        executor: where shards run.
        seed: of the learner.
        data_seed: of the sentences that `files.sentences` draws; default: `seed`.
        on_epoch: told a row of figures after each epoch.
    """
    check_folders(files.model, out)
    if files.on_train and files.source is not None and not learner.uses_dev:
        raise DemoticError(
            f"{learner.name} learns on either training pairs or a dev set, not on both",
            hint="remove --on-train or --src; to report on further sets, use --held-out-src or --watch",
        )
    folder = make_folder(out)
    model = TranslationModel(files.model)
    task = make_task(files, learner, seed if data_seed is None else data_seed, model)
    with Run(folder / "run") as run:
        started = time.perf_counter()
        task = with_classes(with_class_lms(task, class_lms_of(files, learner, model), run), run)
        if files.discretize is not None:
            task = discretized(task, files.discretize, run)
        settings = LearnSettings(
            run, executor, seed, on_epoch or (lambda row: None), models={model.folder: model}
        )
        tuned = learner.fit(task, settings)
        run.log({"learner": learner.name, TUNING_SECONDS: round(time.perf_counter() - started, 3)})
    if task.groups is not None:
        tuned = _untied(tuned, task.groups)
    _publish(task, learner, tuned, folder, seed)
    return tuned


def class_lms_of(files: TuneInput, learner: Learner, model: ModelFolder) -> tuple[int, ...]:
    """Numbers of classes of all language models that the model will have, beside that of words."""
    there = model.options.class_lm.classes
    if files.class_lms is None:
        return there or learner.class_lms
    return tuple(dict.fromkeys((*there, *files.class_lms)))


def warn_of_leaks(files: TuneInput, learner: Learner) -> None:
    """Warn of tuning and held-out sentences that the model has been trained on.

    Weights that are learnt on them trust long rules, which occur once, too much.
    """
    model = TranslationModel(files.model)
    task = make_task(replace(files, sentences=1) if files.on_train else files, learner, 1, model)
    sets = {
        "tuning set": task.dev if files.on_train else task.examples,
        "held-out set": task.held_out,
        **task.watched,
    }
    for name, examples in sets.items():
        warn_of_leaked_examples(model.index, examples, name, model.mono)


def warn_of_leaked_examples(
    index: GrammarIndex, examples: Sequence[Example], name: str, mono: Pathish | None = None
) -> None:
    """Warn of examples that are in the training corpus, or whose references are in the monolingual text."""
    if not examples:
        return
    references = zip(*(example.reference_words() for example in examples), strict=True)
    sources = [split_words(example.source) for example in examples]
    for text in leak_check(index, sources, [list(lines) for lines in references], mono=mono).warnings(name):
        warn(text)


def check_folders(model: Pathish, out: Pathish) -> None:
    """A tuned model does not replace the one it is made from."""
    if Path(out).resolve() == Path(model).resolve():
        raise DemoticError(
            "the tuned model would overwrite the model it is tuned from", out, hint="choose another --out"
        )


def make_task(
    files: TuneInput, learner: Learner, seed: int, model: TranslationModel | None = None
) -> TuningTask:
    """Read what is learnt from; the seed draws sentences of the training data, `model` is that of the files if it is open."""
    model = model or TranslationModel(files.model)
    templates = files.templates
    if templates is None:
        templates = model.options.features.templates or learner.templates
    # Mistakes are refused before any work is done; word classes are not there yet.
    TemplateSet([name for name in templates if not class_sizes([name])])
    _check_labels(files, templates)
    preprocessor = None if files.tokenized else model.preprocessor
    dev: list[Example] = []
    if files.on_train:
        examples = training_examples(model, files.sentences, seed)
        if files.source is not None:
            dev = read_examples(files.source, files.references, preprocessor)
    elif files.source is not None:
        examples = read_examples(files.source, files.references, preprocessor)
    else:
        raise DemoticError("no data to learn from", hint="give --src and --ref, or --on-train")
    held_out: list[Example] = []
    if files.held_out_source is not None:
        held_out = read_examples(files.held_out_source, files.held_out_references, preprocessor)
        held_out = labelled(held_out, files.held_out_labels, len(model.index))
        if files.held_out_lines == "odd":
            held_out = held_out[::2]
    examples = labelled(examples, files.labels, len(model.index))
    dev = labelled(dev, files.dev_labels, len(model.index))
    watched = {name: read_examples(src, refs, preprocessor) for name, src, refs in files.watched}
    groups = _groups(files, learner, templates)
    initial = None if files.start_from is None else ModelFolder(files.start_from).weights.pack()
    return TuningTask(Path(files.model), tuple(templates), examples, held_out, watched, dev, groups, initial)


def _check_labels(files: TuneInput, templates: Sequence[str]) -> None:
    """Refuse labels without templates that use them, and sets without labels where templates need them."""
    with_labels = [name for name in templates if name.endswith(LABELLED)]
    given = {
        "--labels": files.labels,
        "--dev-labels": files.dev_labels,
        "--held-out-labels": files.held_out_labels,
    }
    if not with_labels and any(given.values()):
        raise DemoticError(
            "no template uses the labels",
            hint=f"add {LABELLED} to one: --features word_pair,word_pair{LABELLED}",
        )
    if files.dev_labels is not None and not (files.on_train and files.source is not None):
        raise DemoticError(
            "--dev-labels needs --on-train and --src", hint="the labels of --src alone are --labels"
        )
    needed = {
        "--labels": True,
        "--dev-labels": files.on_train and files.source is not None,
        "--held-out-labels": files.held_out_source is not None,
    }
    for option, is_needed in needed.items():
        if with_labels and is_needed and given[option] is None:
            raise DemoticError(
                f"the template '{with_labels[0]}' needs labels",
                hint=f"give {option}, a file with one label a line",
            )


def _groups(files: TuneInput, learner: Learner, templates: Sequence[str]) -> Path | None:
    """The file of the groups whose weights are to be learnt, if any."""
    if files.groups == "none" or (not files.groups and not learner.uses_groups):
        return None
    if not learner.uses_groups:
        raise DemoticError(f"{learner.name} makes its own groups", hint="remove --groups")
    given = Path(files.groups or Path(files.model) / GROUPS)
    path = given / GROUPS if given.is_dir() else given
    if not files.groups and not path.exists():
        return None
    FeatureGroups.load(given).check_templates(templates, path)
    return path


def _untied(tuned: Tuned, file: Path) -> Tuned:
    """Weights of groups as those of features, and the groups beside them."""
    groups = FeatureGroups.load(file)
    vectors = [groups.untie(vector) for vector in tuned.vectors]
    return replace(tuned, weights=groups.untie(tuned.weights), vectors=vectors, groups=file.read_bytes())


def _publish(task: TuningTask, learner: Learner, tuned: Tuned, folder: Path, seed: int) -> None:
    """A complete model folder: everything of the old one, and the new weights and templates."""
    model = ModelFolder(task.model)
    values = {
        **model.values,
        "features": options_to_dict(replace(model.options.features, templates=task.templates)),
        "tuned": {"learner": learner.name, "epoch": tuned.epoch, "seed": seed},
    }
    if tuned.translate is not None:
        own = model.options.translate.corrections  # is the user's affair
        values["translate"] = options_to_dict(replace(tuned.translate, corrections=own))
    weights = Weights.unpack(tuned.weights)
    groups = FeatureGroups.from_text(tuned.groups) if tuned.groups else None
    ModelFolder(folder).write(values, model.parts(), model.preprocessor, weights, groups=groups)
