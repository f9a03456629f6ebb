"""Language models over word classes for a model that was trained without them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from demotic.base.files import atomic_write
from demotic.base.options import options_to_dict
from demotic.base.run import Run
from demotic.corpus.word_classes import ITERATIONS
from demotic.decode.additions import ADDITIONS
from demotic.decode.model_folder import BINS, INDEX, MODEL_TOML, MONO, WEIGHTS, ModelFolder
from demotic.decode.options import CLASS_LM_WEIGHT
from demotic.features import Weights
from demotic.learn import TuningTask
from demotic.lm import LmOptions
from demotic.lm.class_models import train_class_model
from demotic.lm.class_options import class_feature, class_lm
from demotic.pipeline.classes import make_classes

STAGE = "class_lms"
_WORDS = "LanguageModel"  # the dense feature beside which the new ones stand


def with_class_lms(task: TuningTask, sizes: Sequence[int], run: Run) -> TuningTask:
    """The task with a copy of its model that has these language models over word classes, too; they are made in a stage of a run.

    They are estimated on the target side of the index and on the model's monolingual text, as `train --class-lm` does. A new feature
    begins with a fifth of the weight of the language model of words, and the copy does not count as tuned.

    Args:
        task: what is learnt from.
        sizes: numbers of classes.
        run: that the stage belongs to.
    """
    model = ModelFolder(task.model)
    options = model.options.class_lm
    missing = [size for size in sizes if size not in options.classes]
    if not missing:
        return task
    options = replace(options, classes=(*options.classes, *missing))

    def work(folder: Path) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as made:
            parts = {**model.parts(), **_make(model, missing, options.of_model(), Path(made))}
            values = {key: value for key, value in model.values.items() if key != "tuned"}
            values["class_lm"] = options_to_dict(options)
            weights = _with_features(model.weights, missing)
            ModelFolder(folder).write(values, parts, model.preprocessor, weights)

    classes = [path.name for size in missing for path in model.class_files(size)]
    further = [name for name in (BINS, MONO, ADDITIONS, *classes) if model.part(name)]
    names = (*model.lm_files(), INDEX, WEIGHTS, MODEL_TOML, *further)
    inputs = {name: task.model / name for name in names}
    key = {**options_to_dict(options), "iterations": ITERATIONS}
    folder = run.stage(STAGE, work, options=key, inputs=inputs)
    if task.initial_weights is None:
        return replace(task, model=folder)
    initial = _with_features(Weights.unpack(task.initial_weights), missing)
    return replace(task, model=folder, initial_weights=initial.pack())


def _make(model: ModelFolder, sizes: Sequence[int], options: LmOptions, out: Path) -> dict[str, Path]:
    """Word classes that a model lacks and language models over classes, as files of a folder; by their names."""
    make_classes(model.index, [size for size in sizes if not model.has_classes(size)], ModelFolder(out))
    found = {path.name: path for path in out.iterdir()}
    text = out / "target.txt"
    with atomic_write(text) as file:
        file.writelines(" ".join(model.index.target(i)) + "\n" for i in range(len(model.index)))
    mono = [model.mono] if model.mono else []
    for size in sizes:
        _, classes = (model if model.has_classes(size) else ModelFolder(out)).read_classes(size)
        name = f"{class_lm(size)}.bin"
        train_class_model([text], classes, options, out / name, extra=mono)
        found[name] = out / name
    return found


def _with_features(weights: Weights, sizes: Sequence[int]) -> Weights:
    """Weights by hand for language models that have none."""
    known = weights.to_dict()
    new = CLASS_LM_WEIGHT * known.get(_WORDS, 1.0)
    return Weights.from_dict({**{class_feature(size): new for size in sizes}, **known})
