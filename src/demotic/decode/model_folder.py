"""A model folder: which files a model consists of, how they are read, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import demotic
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_copy, atomic_write, make_folder
from demotic.base.options import load_toml, options_from
from demotic.base.run import digest_of
from demotic.corpus import PrepareOptions, Preprocessor
from demotic.decode.options import DecodeOptions
from demotic.decode.verify import write_checksums
from demotic.features import Bins, FeatureGroups, Weights
from demotic.features.groups import GROUPS
from demotic.grammar import ExtractOptions, GrammarIndex
from demotic.lm import LanguageModel, LmOptions

if TYPE_CHECKING:
    from demotic.align import AlignmentModel

MODEL_TOML, LM, INDEX, WEIGHTS, BINS = "model.toml", "lm.bin", "index.bin", "weights.txt", "bins.toml"
ALIGN = "align.bin"  # what the aligner learnt, for new pairs
MONO = "mono.txt.gz"  # prepared monolingual text of the language model, for those of folds


@dataclass(frozen=True)
class FeatureOptions:
    """Sparse features."""

    templates: tuple[str, ...] = ()  # such as "id", "src_ngram:n=2", "shape"


@dataclass(frozen=True)
class ModelOptions:
    """What `model.toml` says about translating, and about language models of folds."""

    prepare: PrepareOptions = field(default_factory=PrepareOptions)
    lm: LmOptions = field(default_factory=LmOptions)
    grammar: ExtractOptions = field(default_factory=ExtractOptions)
    features: FeatureOptions = field(default_factory=FeatureOptions)
    decode: DecodeOptions = field(default_factory=DecodeOptions)


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
        return options_from(ModelOptions, known, file=self.folder / MODEL_TOML)

    @cached_property
    def preprocessor(self) -> Preprocessor:
        """Raw text to words and back."""
        return Preprocessor.load(self.folder)

    @cached_property
    def lm(self) -> LanguageModel:
        """The language model."""
        return LanguageModel.load(self.folder / LM)

    @cached_property
    def index(self) -> GrammarIndex:
        """The training corpus, which gives the rules."""
        return GrammarIndex(self.folder / INDEX, self.options.grammar)

    @cached_property
    def weights(self) -> Weights:
        """By feature name."""
        return Weights.load(self.folder / WEIGHTS)

    @cached_property
    def bins(self) -> Bins | None:
        """What becomes of dense features; None: they stay as they are."""
        path = self.part(BINS)
        return Bins.load(path) if path else None

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
        """What tuning leaves as it is: language model, index, alignment model, monolingual text and bins."""
        return {name: self.part(name) for name in (LM, INDEX, ALIGN, MONO, BINS)}

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
        for name, path in parts.items():
            if path is None:
                (self.folder / name).unlink(missing_ok=True)
            else:
                atomic_copy(path, self.folder / name)
        preprocessor.save_tables(self.folder)
        if weights is not None:
            weights.save(self.folder / WEIGHTS)
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
        weights.save(self.folder / WEIGHTS)
        self._write_values({**self.values, "tuned": dict(tuned)})

    def copy_of(self, other: ModelFolder, without: str = "") -> None:
        """Make this folder a copy of another model.

        Args:
            other: the model.
            without: a file of its folder that is left out.
        """
        names = [path.name for path in other.folder.iterdir() if path.is_file() and path.name != without]
        for name in sorted(names, key=lambda name: (name == MODEL_TOML, name)):
            atomic_copy(other.folder / name, self.folder / name)

    def _write_values(self, values: Mapping[str, Any]) -> None:
        import tomli_w

        text = tomli_w.dumps(dict(values))
        write_checksums(self.folder, {MODEL_TOML: digest_of(text.encode())})
        with atomic_write(self.folder / MODEL_TOML) as file:
            file.write(text)
        self.__dict__ = {"folder": self.folder}  # what was read of the old model is forgotten
