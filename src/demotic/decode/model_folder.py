"""A model folder: which files a model consists of, how they are read, and how they are written."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import demotic
from demotic.base.digests import digest_of
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_copy, atomic_write, atomic_write_bytes, make_folder
from demotic.base.options import load_toml, options_from
from demotic.base.versions import is_newer
from demotic.corpus import PrepareOptions, Preprocessor, WordClasses
from demotic.corpus.preprocess import TABLES, stored_options
from demotic.decode.additions import (
    ADDITIONS,
    LOCK,
    Additions,
    append_record,
    index_name,
    read_additions,
    writing,
)
from demotic.decode.language_models import FurtherModel, LanguageModels
from demotic.decode.options import DecodeOptions, TranslateOptions
from demotic.decode.verify import write_checksums
from demotic.features import Bins, FeatureGroups, Weights
from demotic.features.groups import GROUPS
from demotic.grammar import ExtractOptions, GrammarIndex
from demotic.lm import ClassLmOptions, LanguageModel, LmOptions
from demotic.lm.class_options import class_feature, class_lm

if TYPE_CHECKING:
    from demotic.align import AlignmentModel

MODEL_TOML, LM, INDEX, WEIGHTS, BINS = "model.toml", "lm.bin", "index.bin", "weights.txt", "bins.toml"
ALIGN = "align.bin"  # what the aligner learnt, for new pairs
MONO = "mono.txt.gz"  # prepared monolingual text of the language model, for those of folds
CLASSES = "classes.{side}.{size}"  # word classes of a side, for templates
SIDES = ("src", "tgt")


@dataclass(frozen=True)
class FeatureOptions:
    """Sparse features."""

    templates: tuple[str, ...] = ()  # such as "id", "src_ngram:n=2", "shape", "class_id:50"
    classes: tuple[int, ...] = ()  # word classes to make: their numbers, such as 50, 200


@dataclass(frozen=True)
class ModelOptions:
    """What `model.toml` says about translating, and about language models of folds."""

    prepare: PrepareOptions = field(default_factory=PrepareOptions)
    lm: LmOptions = field(default_factory=LmOptions)
    class_lm: ClassLmOptions = field(default_factory=ClassLmOptions)
    grammar: ExtractOptions = field(default_factory=ExtractOptions)
    features: FeatureOptions = field(default_factory=FeatureOptions)
    decode: DecodeOptions = field(default_factory=DecodeOptions)
    translate: TranslateOptions = field(default_factory=TranslateOptions)


class ModelFolder:
    """The files of a model; each is read and checked when it is first used.

    A folder that has a `model.toml` is a complete model: it is written last. The folder is self-contained, so it can be moved.

    Args:
        folder: of a model, or where one is to be written.
    """

    def __init__(self, folder: Pathish) -> None:
        self.folder = Path(folder)

    @property
    def is_complete(self) -> bool:
        """Whether a model lies here."""
        return (self.folder / MODEL_TOML).exists()

    def check(self) -> None:
        """Refuse a folder that is no model, or one whose files have been removed.

        Raises:
            DemoticError: with what is missing.
        """
        if not self.is_complete:
            raise DemoticError(
                f"not a model folder: {MODEL_TOML} is missing",
                self.folder,
                hint="give a folder from `demotic train` or `demotic tune`",
            )
        for name in (LM, INDEX, WEIGHTS):
            if not (self.folder / name).exists():
                hint = "`demotic train` was interrupted: repeat the command"
                raise DemoticError(f"the model has no {name}", self.folder, hint=hint)

    @cached_property
    def values(self) -> dict[str, Any]:
        """All of `model.toml` as plain values: options, versions, how the model was tuned."""
        return load_toml(self.folder / MODEL_TOML)

    @cached_property
    def options(self) -> ModelOptions:
        """What `model.toml` says about translating."""
        tables = [field.name for field in fields(ModelOptions)]
        known = {name: self.values[name] for name in tables if name in self.values}
        file = self.folder / MODEL_TOML
        try:
            prepare = stored_options(file, known.pop("prepare", {}))
            return replace(options_from(ModelOptions, known, file=file), prepare=prepare)
        except DemoticError as error:
            made_by = str(self.values.get("demotic", ""))
            if not is_newer(made_by, demotic.__version__):
                raise
            hint = f"the model was made by demotic {made_by}: update this one ({demotic.__version__})"
            raise DemoticError(error.message, error.file, error.line, hint) from error

    @cached_property
    def preprocessor(self) -> Preprocessor:
        """Raw text to words and back."""
        return Preprocessor.load(self.folder)

    @cached_property
    def lm(self) -> LanguageModel:
        """The language model of words."""
        return LanguageModel.load(self.folder / LM)

    @cached_property
    def lms(self) -> LanguageModels:
        """All language models: that of words, and those of word classes."""
        sizes = self.options.class_lm.classes
        return LanguageModels(self.lm, tuple(self._class_model(size) for size in sizes))

    def _class_model(self, size: int) -> FurtherModel:
        path = self.folder / f"{class_lm(size)}.bin"
        if not path.exists():
            raise DemoticError(f"the model has no {path.name}", self.folder, hint="copy the whole folder")
        return FurtherModel(
            class_feature(size), class_lm(size), LanguageModel.load(path), self.read_classes(size)[1]
        )

    def lm_files(self) -> list[str]:
        """Names of the files that the language models consist of."""
        names = [LM]
        for size in self.options.class_lm.classes:
            names += [f"{class_lm(size)}.bin", self.class_files(size)[1].name]
        return names

    @cached_property
    def additions(self) -> Additions:
        """What the model has learnt in use, from its log."""
        return read_additions(self.folder / ADDITIONS, self.folder / INDEX)

    @cached_property
    def index(self) -> GrammarIndex:
        """The training corpus and what was added to it, which give the rules."""
        path = self.folder / INDEX
        while True:
            additions = self.additions
            index = GrammarIndex(path, self.options.grammar)
            if not additions.end or index_name(path) == additions.index:
                break
            del self.additions  # another process has merged them into another file meanwhile
        pairs = [(pair.source, pair.target, pair.links) for pair in additions.new]
        return index.with_additions(pairs) if pairs else index

    @cached_property
    def weights(self) -> Weights:
        """By feature name, with what was learnt in use."""
        weights = Weights.load(self.folder / WEIGHTS)
        for name, value in self.additions.weights.items():
            weights.set(name, value)
        return weights

    @cached_property
    def bins(self) -> Bins | None:
        """What becomes of dense features; None: they stay as they are."""
        path = self.part(BINS)
        return Bins.load(path) if path else None

    def class_files(self, size: int) -> tuple[Path, Path]:
        """Where the word classes of both sides lie, whether they are there or not."""
        source, target = (self.folder / CLASSES.format(side=side, size=size) for side in SIDES)
        return source, target

    def has_classes(self, size: int) -> bool:
        """Whether the model has this many word classes."""
        return all(path.exists() for path in self.class_files(size))

    def read_classes(self, size: int) -> tuple[WordClasses, WordClasses]:
        """The word classes of both sides, without a look at the words of the model.

        Raises:
            DemoticError: if the model has none, or for a damaged file.
        """
        if not self.has_classes(size):
            raise DemoticError(
                f"the model has no {size} word classes",
                self.folder,
                hint=f"make them with  demotic classes make {self.folder} {size}",
            )
        source, target = (WordClasses.load(path, size) for path in self.class_files(size))
        return source, target

    def classes(self, size: int) -> tuple[WordClasses, WordClasses]:
        """The word classes of both sides.

        Raises:
            DemoticError: if the model has none, or if they are of other words than its index.
        """
        found = self.read_classes(size)
        vocabs = self.index.native.source_vocab, self.index.native.target_vocab
        for path, classes, vocab in zip(self.class_files(size), found, vocabs, strict=True):
            if 2 * (known := classes.known(vocab)) < len(vocab):
                raise DemoticError(
                    f"the word classes do not fit the model: they have {known:,} of its {len(vocab):,} words",
                    path,
                    hint="they are of another language or corpus: make them anew with  demotic classes make",
                )
        return found

    @cached_property
    def aligner(self) -> AlignmentModel:
        """Aligns new pairs of prepared text.

        Raises:
            DemoticError: if the model has none, because its alignment came from elsewhere.
        """
        from demotic.align import AlignmentModel  # translating does without

        return AlignmentModel(self.folder)

    @property
    def mono(self) -> Path | None:
        """Prepared monolingual text that the language model was trained on; None if there was none."""
        return self.part(MONO)

    def part(self, name: str) -> Path | None:
        """A file that not every model has; None if this one has not."""
        path = self.folder / name
        return path if path.exists() else None

    def parts(self) -> dict[str, Path | None]:
        """What tuning leaves as it is: language models, index, alignment model, monolingual text, bins, added pairs and word classes."""
        names = (LM, INDEX, ALIGN, MONO, BINS, ADDITIONS, *self._of_classes())
        return {name: self.part(name) for name in names}

    def _of_classes(self) -> list[str]:
        """Names of the files of word classes, and of language models over them, that are here."""
        patterns = CLASSES.format(side="*", size="*"), f"{class_lm('*')}.bin"
        return sorted(path.name for pattern in patterns for path in self.folder.glob(pattern))

    def write(
        self,
        values: Mapping[str, Any],
        parts: Mapping[str, Path | None],
        preprocessor: Preprocessor,
        weights: Weights | None = None,
        *,
        bins: Bins | None = None,
        groups: FeatureGroups | None = None,
    ) -> None:
        """Write a complete model; whoever reads meanwhile sees the old one or none.

        Args:
            values: of `model.toml`; the version is added.
            parts: files to copy, by their name here; those that are None are removed.
            preprocessor: its tables are saved.
            weights: None: those that lie here stay.
            bins: in place of those among the parts.
            groups: of features that share a weight; None: none do.
        """
        make_folder(self.folder)
        for name in self._of_classes():
            if name not in parts:
                (self.folder / name).unlink()
        for name, path in {ADDITIONS: None, **parts}.items():
            if path is None:
                (self.folder / name).unlink(missing_ok=True)
            else:
                self._copy(path, name)
        preprocessor.save_tables(self.folder)
        if weights is not None:
            self._save_weights(weights)
        if bins is not None:
            bins.save(self.folder / BINS)
        (self.folder / GROUPS).unlink(missing_ok=True)
        if groups is not None:
            groups.save(self.folder / GROUPS)
        self._write_values({**values, "demotic": demotic.__version__})

    def set_weights(self, weights: Weights, tuned: Mapping[str, Any]) -> None:
        """Replace the weights of a complete model.

        Args:
            weights: the new ones.
            tuned: how they were found, for `model.toml`.
        """
        self._save_weights(weights)
        self._write_values({**self.values, "tuned": dict(tuned)})

    def copy_of(self, other: ModelFolder, without: str = "") -> None:
        """Make this folder a copy of another model.

        Args:
            other: the model.
            without: a file of its folder that is left out.
        """
        names = {path.name for path in other.folder.iterdir() if path.is_file()} - {without, LOCK}
        for name in sorted(names, key=lambda name: (name == MODEL_TOML, name)):
            self._copy(other.folder / name, name)

    def _copy(self, path: Path, name: str) -> None:
        if name != ADDITIONS:
            return atomic_copy(path, self.folder / name)
        # No hard link: what is appended to one model must not appear in the other.
        with open(path, "rb") as log, atomic_write_bytes(self.folder / name) as copy:
            shutil.copyfileobj(log, copy)

    def _save_weights(self, weights: Weights) -> None:
        """New weights take the place of those that were learnt in use."""
        weights.save(self.folder / WEIGHTS)
        log, index = self.folder / ADDITIONS, self.folder / INDEX
        if log.exists():
            with writing(self.folder):
                append_record(log, index, read_additions(log, index).end, {"do": "weights"})

    def _write_values(self, values: Mapping[str, Any]) -> None:
        import tomli_w

        text = tomli_w.dumps(dict(values))
        # Only of what was written here: logs, corrections and a calibration in the same folder may change.
        names = (WEIGHTS, BINS, GROUPS, MONO, *TABLES, *self._of_classes())
        without_own = [name for name in names if not name.endswith(".bin")]
        write_checksums(self.folder, without_own, {MODEL_TOML: digest_of(text.encode())})
        with atomic_write(self.folder / MODEL_TOML) as file:
            file.write(text)
        self.__dict__ = {"folder": self.folder}  # what was read of the old model is forgotten
