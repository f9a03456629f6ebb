"""`demotic train`: from two text files to a model, as a chain of resumable stages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

import demotic
from demotic.align import AlignOptions, align
from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish, atomic_write, open_binary, read_lines
from demotic.base.options import options_to_dict
from demotic.base.run import OnStage, Run
from demotic.cluster import executor
from demotic.corpus import (
    Bitext,
    MonolingualSummary,
    PrepareOptions,
    Preprocessor,
    build_bitext,
    prepare,
    prepare_lines,
    prepare_monolingual,
    read_parallel,
)
from demotic.corpus.preparation import LINES, SOURCE, SUMMARY, TARGET
from demotic.corpus.word_classes import ITERATIONS, WordClasses, checked_sizes
from demotic.decode import DecodeOptions, TranslationModel
from demotic.decode.model_folder import ALIGN, INDEX, LM, MONO, WEIGHTS, FeatureOptions, ModelFolder
from demotic.decode.options import CLASS_LM_WEIGHT, HAND_SET_WEIGHTS
from demotic.features import Weights, class_sizes
from demotic.grammar import ExtractOptions, GrammarIndex, build_index
from demotic.learn import Learner, LearnSettings, TuningTask, read_examples
from demotic.learn.registry import make_learner
from demotic.lm import ClassLmOptions, LmOptions
from demotic.lm import train as train_lm
from demotic.lm.class_models import train_class_model
from demotic.lm.class_options import class_feature, class_lm
from demotic.pipeline.classes import STAGE as CLASSES_STAGE
from demotic.pipeline.classes import make_classes
from demotic.pipeline.tune import warn_of_leaked_examples

ALIGNMENT, BITEXT = "train.align", "bitext.bin"
_OVERLAP = 0.1  # share of the training sentences in the monolingual text that is worth a warning


@dataclass(frozen=True)
class TrainOptions:
    """Options of the whole chain: one table per stage in the TOML file."""

    prepare: PrepareOptions = field(default_factory=PrepareOptions)
    align: AlignOptions = field(default_factory=AlignOptions)
    lm: LmOptions = field(default_factory=lambda: LmOptions(order=3))
    class_lm: ClassLmOptions = field(default_factory=ClassLmOptions)
    grammar: ExtractOptions = field(default_factory=ExtractOptions)
    features: FeatureOptions = field(default_factory=FeatureOptions)
    # MERT cannot tell how much copying a known word should cost, and small corpora suffer: docs/concepts/decoding.md.
    decode: DecodeOptions = field(default_factory=lambda: DecodeOptions(copy="unknown"))
    learner: str = "mert"  # of the weights, on the tuning set; none: weights by hand
    tune: dict[str, Any] = field(default_factory=dict)  # options of the learner, `preset` among them


@dataclass(frozen=True)
class TrainInput:
    """The files that a model is made of."""

    source: Pathish
    target: Pathish
    dev_source: Pathish | None = None
    dev_references: Sequence[Pathish] = ()
    mono: Sequence[Pathish] = ()  # more text in the target language, for the language model
    alignment: Pathish | None = None  # word alignment from elsewhere: of all pairs, or of those that are kept


@dataclass(frozen=True)
class TrainResult:
    """Where the stages left their outputs, and how long those took that ran."""

    prepared: Path  # folder: train.src, train.tgt, summary.json
    dev: Path | None  # folder: dev.src, dev.ref0, ...
    alignment: Path
    bitext: Path
    lm: Path
    index: Path
    seconds: dict[str, float]
    classes: tuple[Path, ...] = ()  # of words, both sides of each size
    class_lms: tuple[Path, ...] = ()  # language models over classes
    mono: Path | None = None  # prepared monolingual text
    monolingual: MonolingualSummary | None = None  # what it holds


def train(
    files: TrainInput,
    model: Pathish,
    options: TrainOptions | None = None,
    *,
    seed: int = 1,
    workers: int = 1,
    on_stage: OnStage | None = None,
    on_epoch: Callable[[Mapping[str, Any]], None] | None = None,
) -> TrainResult:
    """Make a model folder; stages whose inputs have not changed are not repeated.

    Args:
        files: raw text, or tokenised text if `options.prepare.tokenized`.
        model: the folder; intermediate results lie in its sub-folder `run`.
        options: per stage.
        seed: for every stage where chance is involved.
        workers: processes; the result does not depend on it.
        on_stage: told `(name, seconds)` as each stage ends, None for one that was done before; learning is one stage, `tune`.
        on_epoch: told a row of figures after each epoch of the learner.
    """
    folder = Path(model)
    options = options or TrainOptions()
    learner = _learner(options)  # a wrong name or option is refused before any work is done
    wanted = options.features.classes, class_sizes(options.features.templates), options.class_lm.classes
    sizes = checked_sizes([size for sizes in wanted for size in sizes])
    for path in [*files.mono, *([files.alignment] if files.alignment else [])]:
        open_binary(path).close()  # so is a file that is not there
    with Run(folder / "run", on_stage) as run:
        _write_toml(run.folder / "config.toml", {"seed": seed, **options_to_dict(options)})
        stages = _Stages(run, files, options, seed, workers)
        result = TrainResult(
            prepared=stages.prepare(),
            dev=stages.dev(),
            mono=stages.mono(),
            monolingual=stages.monolingual(),
            alignment=stages.align(),
            bitext=stages.bitext(),
            lm=stages.lm(),
            index=stages.index(),
            classes=stages.classes(sizes),
            class_lms=stages.class_lms(),
            seconds=run.seconds,
        )
        _publish(
            result, ModelFolder(folder), options, seed, tunes=learner is not None and result.dev is not None
        )
    if learner is not None and result.dev is not None:
        with Run(folder / "run" / "tune", digests=run.digests) as tuning:
            _tune(result.dev, folder, options, learner, tuning, seed, workers, on_epoch)
        seconds = sum(tuning.seconds.values()) or None
        result.seconds.update({"tune": seconds} if seconds else {})
        if on_stage is not None:
            on_stage("tune", seconds)
    return result


def _learner(options: TrainOptions) -> Learner | None:
    """The learner that the options name, with its own options; None for `none`."""
    if options.learner != "none":
        return make_learner(options.learner, options.tune)
    if options.tune:
        raise DemoticError(
            f"options of a learner ({', '.join(options.tune)}), but none is to run",
            hint="choose one with --learner, or leave --set and the table [tune] out",
        )
    return None


class _Stages:
    """The stages in their order; each uses the outputs of those before it."""

    def __init__(self, run: Run, files: TrainInput, options: TrainOptions, seed: int, workers: int) -> None:
        self.run, self.files, self.options, self.seed, self.workers = run, files, options, seed, workers
        self.source = run.folder / "prepare" / SOURCE
        self.target = run.folder / "prepare" / TARGET
        self.text: dict[str, Pathish] = {"source": self.source, "target": self.target}

    def prepare(self) -> Path:
        files, options = self.files, self.options.prepare
        return self.run.stage(
            "prepare",
            lambda out: _ignore(
                prepare(
                    read_parallel(files.source, files.target, tokenized=options.tokenized),
                    out,
                    options,
                    self.workers,
                )
            ),
            options=options,
            inputs={"source": files.source, "target": files.target},
        )

    def dev(self) -> Path | None:
        """The tuning set, prepared as the training text was."""
        if self.files.dev_source is None:
            return None
        prepared = self.source.parent
        references = {f"ref{i}": path for i, path in enumerate(self.files.dev_references)}
        inputs: dict[str, Pathish] = {"source": self.files.dev_source, **references, **self._tables()}
        return self.run.stage(
            "dev", lambda out: _prepare_dev(self.files, Preprocessor.load(prepared), out), inputs=inputs
        )

    def mono(self) -> Path | None:
        """Monolingual text, prepared as the target side was."""
        if not self.files.mono:
            return None
        target = self.target
        texts: dict[str, Pathish] = {f"mono{i}": path for i, path in enumerate(self.files.mono)}

        def work(out: Path) -> None:
            preprocessor = Preprocessor.load(target.parent)
            summary = prepare_monolingual(self.files.mono, out / MONO, preprocessor, target, self.workers)
            with atomic_write(out / SUMMARY) as file:
                json.dump(asdict(summary), file, indent=1)

        inputs = {**texts, **self._tables(), "target": target}
        return self.run.stage("mono", work, inputs=inputs) / MONO

    def monolingual(self) -> MonolingualSummary | None:
        """What the monolingual text holds; warns if folds of the training text are in it."""
        if not self.files.mono:
            return None
        values = json.loads((self.run.folder / "mono" / SUMMARY).read_text("utf-8"))
        summary = MonolingualSummary(**values)
        if summary.overlap > _OVERLAP:
            warn(
                f"{summary.overlap:.0%} of the target sentences of the training text are also in the monolingual text, so "
                "language models of folds (lm_folds) would have seen the sentences that they leave out"
            )
        return summary

    def _tables(self) -> dict[str, Pathish]:
        """What was learnt about preparing text."""
        files = sorted(self.source.parent.iterdir())
        return {path.name: path for path in files if path.suffix in (".toml", ".txt")}

    def align(self) -> Path:
        if self.files.alignment is not None:
            return self._given_alignment(self.files.alignment)
        options = self.options.align

        def work(out: Path) -> None:
            model = out / ALIGN if options.model == "gibbs" else None
            align(self.source, self.target, out / ALIGNMENT, options, self.seed, self.workers, model=model)

        folder = self.run.stage(
            "align", work, options={**options_to_dict(options), "seed": self.seed}, inputs=self.text
        )
        return folder / ALIGNMENT

    def _given_alignment(self, given: Pathish) -> Path:
        """The lines of an alignment from elsewhere that belong to the pairs that are kept."""
        lines = self.source.parent / LINES
        summary = json.loads((self.source.parent / SUMMARY).read_text("utf-8"))

        def work(out: Path) -> None:
            links = list(read_lines(given))
            if len(links) not in (summary["read"], summary["kept"]):
                raise DemoticError(
                    f"{len(links):,} lines, but there are {summary['read']:,} pairs, of which {summary['kept']:,} are kept",
                    given,
                    hint="line N of the alignment must belong to line N of the text, or to line N of what `prepare` writes",
                )
            is_whole = len(links) == summary["read"]
            chosen = (int(line) - 1 for line in read_lines(lines)) if is_whole else range(len(links))
            with atomic_write(out / ALIGNMENT) as file:
                file.writelines(f"{links[number]}\n" for number in chosen)

        return self.run.stage("align", work, inputs={"alignment": given, "lines": lines}) / ALIGNMENT

    def bitext(self) -> Path:
        alignment = self.run.folder / "align" / ALIGNMENT
        folder = self.run.stage(
            "bitext",
            lambda out: _ignore(build_bitext(self.source, self.target, alignment, out / BITEXT)),
            inputs={**self.text, "alignment": alignment},
        )
        return folder / BITEXT

    def lm(self) -> Path:
        options, mono = self.options.lm, self._mono_text()
        vocabulary = {f"vocab_from{i}": path for i, path in enumerate(options.vocab_from)}
        folder = self.run.stage(
            "lm",
            lambda out: _ignore(train_lm([self.target], options, out / LM, extra=mono, threads=self.workers)),
            options=options,
            inputs={"text": self.target, **{path.name: path for path in mono}, **vocabulary},
        )
        return folder / LM

    def _mono_text(self) -> list[Path]:
        return [self.run.folder / "mono" / MONO] if self.files.mono else []

    def class_lms(self) -> tuple[Path, ...]:
        """Language models over word classes, of the same text as that of words."""
        options, mono = self.options.class_lm, self._mono_text()
        if not options.classes:
            return ()
        made = ModelFolder(self.run.folder / CLASSES_STAGE)
        files = {size: made.class_files(size)[1] for size in options.classes}

        def work(out: Path) -> None:
            for size, path in files.items():
                classes, file = WordClasses.load(path, size), out / f"{class_lm(size)}.bin"
                of_model = options.of_model()
                train_class_model([self.target], classes, of_model, file, extra=mono, threads=self.workers)

        inputs = {"text": self.target, **{path.name: path for path in (*mono, *files.values())}}
        folder = self.run.stage("class_lm", work, options=options, inputs=inputs)
        return tuple(folder / f"{class_lm(size)}.bin" for size in options.classes)

    def index(self) -> Path:
        bitext = self.run.folder / "bitext" / BITEXT
        folder = self.run.stage(
            "index",
            lambda out: _ignore(build_index(Bitext(str(bitext)), out / INDEX, threads=self.workers)),
            inputs={"bitext": bitext},
        )
        return folder / INDEX

    def classes(self, sizes: Sequence[int]) -> tuple[Path, ...]:
        """Word classes for templates."""
        if not sizes:
            return ()
        index = self.run.folder / "index" / INDEX

        def work(out: Path) -> None:
            _ignore(make_classes(GrammarIndex(index), sizes, ModelFolder(out), self.workers))

        options = {"sizes": list(sizes), "iterations": ITERATIONS}
        made = ModelFolder(self.run.stage(CLASSES_STAGE, work, options=options, inputs={"index": index}))
        return tuple(path for size in sizes for path in made.class_files(size))


def _prepare_dev(files: TrainInput, preprocessor: Preprocessor, out: Path) -> None:
    assert files.dev_source is not None
    lines = prepare_lines(files.dev_source, out / "dev.src", preprocessor, "source")
    for i, reference in enumerate(files.dev_references):
        count = prepare_lines(reference, out / f"dev.ref{i}", preprocessor, "target")
        if count != lines:
            raise DemoticError(
                f"{count:,} lines, but {files.dev_source} has {lines:,}",
                reference,
                hint="line N of each reference must translate line N of the source",
            )


def _publish(result: TrainResult, model: ModelFolder, options: TrainOptions, seed: int, tunes: bool) -> None:
    """Put together the model folder, which can be moved without `run`."""
    values = {"demotic": demotic.__version__, "seed": seed, **options_to_dict(options)}
    weights = None if _has_weights(model, values, tunes) else _weights_by_hand(options)
    saved = result.alignment.with_name(ALIGN)
    parts = {
        LM: result.lm,
        INDEX: result.index,
        MONO: result.mono,
        ALIGN: saved if saved.exists() else None,  # only our own aligner leaves one
        **{path.name: path for path in (*result.classes, *result.class_lms)},
    }
    model.write(values, parts, Preprocessor.load(result.prepared), weights)


def _has_weights(model: ModelFolder, values: Mapping[str, object], tunes: bool) -> bool:
    """Whether the weights that lie here are of this very model: by hand or, if a learner is to run, those that it found before."""
    if not (model.is_complete and model.part(WEIGHTS)):
        return False
    before = dict(model.values)
    are_tuned = before.pop("tuned", None) is not None
    return before == values and (tunes or not are_tuned)


def _weights_by_hand(options: TrainOptions) -> Weights:
    of_classes = {class_feature(size): CLASS_LM_WEIGHT for size in options.class_lm.classes}
    return Weights.from_dict({**HAND_SET_WEIGHTS[options.grammar.features], **of_classes})


def _tune(
    dev: Path,
    folder: Path,
    options: TrainOptions,
    learner: Learner,
    run: Run,
    seed: int,
    workers: int,
    on_epoch: Callable[[Mapping[str, Any]], None] | None,
) -> None:
    """Learn the weights of a model on its tuning set."""
    model = TranslationModel(folder)
    examples = read_examples(dev / "dev.src", sorted(dev.glob("dev.ref*")), preprocessor=None)
    warn_of_leaked_examples(model.index, examples, "tuning set", model.mono)
    start = _weights_by_hand(options).pack()  # also where this has ended before, and the model has others
    task = TuningTask(folder, options.features.templates, examples, initial_weights=start)
    with executor("local", workers) as threads:
        settings = LearnSettings(run, threads, seed, on_epoch or (lambda row: None), models={folder: model})
        tuned = learner.fit(task, settings)
    how = {"learner": learner.name, "epoch": tuned.epoch, "seed": seed}
    model.set_weights(Weights.unpack(tuned.weights), how)


def _write_toml(path: Path, values: dict[str, object]) -> None:
    with atomic_write(path) as file:
        file.write(tomli_w.dumps(values))


def _ignore(result: object) -> None:
    """Stages are judged by their files."""
