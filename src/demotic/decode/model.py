"""A trained model: a folder that translates raw text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_copy
from demotic.base.options import load_toml, options_from
from demotic.corpus import PrepareOptions, Preprocessor
from demotic.decode.decoder import Decoder
from demotic.decode.kbest import KBest
from demotic.decode.options import DECODER_FEATURES, DecodeOptions
from demotic.decode.unknown_weights import warn_of_unknown_weights
from demotic.features import Bins, FeatureGroups, TemplateSet, Weights
from demotic.grammar import FEATURE_SETS, ExtractOptions, GrammarIndex
from demotic.lm import LanguageModel, LmOptions

MODEL_TOML, LM, INDEX, WEIGHTS, BINS = "model.toml", "lm.bin", "index.bin", "weights.txt", "bins.toml"
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


class TranslationModel:
    """Preprocessor, language model, index, templates, bins and weights of one folder.

    Args:
        folder: made by `demotic train`; self-contained, so it can be moved.
    """

    def __init__(self, folder: Pathish) -> None:
        self.folder = Path(folder)
        self.options = _read_options(self.folder)
        self.preprocessor = Preprocessor.load(self.folder)
        self.lm = LanguageModel.load(self._file(LM))
        self.index = GrammarIndex(self._file(INDEX), self.options.grammar)
        self.weights = Weights.load(self._file(WEIGHTS))
        self.bins = Bins.load(self.folder / BINS) if (self.folder / BINS).exists() else None
        templates = self.template_set(self.options.features.templates)
        self.decoder = Decoder(self.lm, self.weights, self.index, templates, self.options.decode)
        warn_of_unknown_weights(self.decoder, self._file(WEIGHTS))

    @property
    def mono(self) -> Path | None:
        """Prepared monolingual text that the language model was trained on; None if there was none."""
        return mono_of(self.folder)

    def template_set(self, names: Sequence[str], groups: FeatureGroups | None = None) -> TemplateSet | None:
        """These templates with the bins of the model, their features tied in groups; None if there are neither."""
        return TemplateSet(names, self.bins, groups) if names or self.bins else None

    def dense_features(self) -> list[str]:
        """Names of the dense features, sorted."""
        dense = self.options.grammar.features
        names = {*FEATURE_SETS[dense], *DECODER_FEATURES[dense]} - {""}
        if self.bins is not None:
            names = names - set(self.bins.left_out) | set(self.bins.real)
        return sorted(names)

    def translate(self, lines: Iterable[str], threads: int = 0) -> Iterator[str]:
        """Raw text in, text as a person writes it out; line by line, in order."""
        for kbest in self.kbest(lines, 1, threads):
            yield self.restore(kbest.sentence(0))

    def kbest(self, lines: Iterable[str], k: int, threads: int = 0) -> Iterator[KBest]:
        """The k best different translations of each line of raw text."""
        words = (" ".join(self.preprocessor.words(line, "source")) for line in lines)
        return self.decoder.kbest(words, k, unique=True, threads=threads)

    def restore(self, words: list[str]) -> str:
        """Words of a translation as text."""
        return self.preprocessor.restore(words)

    def _file(self, name: str) -> Path:
        path = self.folder / name
        if not path.exists():
            raise DemoticError(
                f"the model has no {name}",
                self.folder,
                hint="`demotic train` was interrupted: repeat the command",
            )
        return path


def mono_of(folder: Path) -> Path | None:
    """The monolingual text of a model; None if it has none."""
    path = folder / MONO
    return path if path.exists() else None


def copy_data(model: Path, out: Path) -> None:
    """Copy what tuning leaves unchanged: language model, index and, where there is one, monolingual text."""
    for name in (LM, INDEX):
        atomic_copy(model / name, out / name)
    if mono := mono_of(model):
        atomic_copy(mono, out / MONO)
    else:
        (out / MONO).unlink(missing_ok=True)


def _read_options(folder: Path) -> ModelOptions:
    path = folder / MODEL_TOML
    if not path.exists():
        raise DemoticError(
            f"not a model folder: {MODEL_TOML} is missing",
            folder,
            hint="give a folder from `demotic train` or `demotic tune`",
        )
    values: dict[str, Any] = load_toml(path)
    tables = [field.name for field in fields(ModelOptions)]
    known = {name: values[name] for name in tables if name in values}
    return options_from(ModelOptions, known, file=path)
