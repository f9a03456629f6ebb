"""The stages from text to the parts of a model, each resumable: what has not changed is not done again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from demotic.align import align
from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.base.options import options_to_dict
from demotic.base.run import Run
from demotic.corpus import (
    Bitext,
    MonolingualSummary,
    Preprocessor,
    build_bitext,
    prepare,
    prepare_lines,
    prepare_monolingual,
    read_parallel,
)
from demotic.corpus.preparation import LINES, SOURCE, SUMMARY, TARGET
from demotic.corpus.word_classes import ITERATIONS, WordClasses
from demotic.decode.model_folder import ALIGN, INDEX, LM, MONO, ModelFolder
from demotic.grammar import GrammarIndex, build_index
from demotic.lm import train as train_lm
from demotic.lm.class_models import train_class_model
from demotic.lm.class_options import class_lm
from demotic.pipeline.classes import STAGE as CLASSES_STAGE
from demotic.pipeline.classes import make_classes
from demotic.pipeline.train_options import TrainInput, TrainOptions

ALIGNMENT, BITEXT = "train.align", "bitext.bin"
_MOST_KEPT = 0.5  # share of the sentence pairs; if fewer are fit for training, that is worth a warning
_OVERLAP = 0.1  # share of the training sentences in the monolingual text that is worth a warning


class TrainStages:
    """The stages in their order; each uses the outputs of those before it."""

    def __init__(self, run: Run, files: TrainInput, options: TrainOptions, seed: int, workers: int) -> None:
        self.run, self.files, self.options, self.seed, self.workers = run, files, options, seed, workers
        self.source = run.folder / "prepare" / SOURCE
        self.target = run.folder / "prepare" / TARGET
        self.text: dict[str, Pathish] = {"source": self.source, "target": self.target}

    def prepare(self) -> Path:
        """The pairs that are kept, tokenised."""
        files, options = self.files, self.options.prepare
        folder = self.run.stage(
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
        summary = json.loads((folder / SUMMARY).read_text("utf-8"))
        if summary["kept"] < _MOST_KEPT * summary["read"]:
            removed = ", ".join(
                f"{count:,} {reason}" for reason, count in summary["removed"].items() if count
            )
            warn(
                f"only {summary['kept']:,} of {summary['read']:,} sentence pairs are used ({removed}); "
                "the limits are in [prepare.clean] of --config"
            )
        return folder

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
        """Links between the words of each pair."""
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
        """Both sides and the links as one file."""
        alignment = self.run.folder / "align" / ALIGNMENT
        folder = self.run.stage(
            "bitext",
            lambda out: _ignore(build_bitext(self.source, self.target, alignment, out / BITEXT)),
            inputs={**self.text, "alignment": alignment},
        )
        return folder / BITEXT

    def lm(self) -> Path:
        """The language model of the target side and of monolingual text."""
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
        """What rules are extracted from."""
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


def _ignore(result: object) -> None:
    """Stages are judged by their files."""
