"""What `demotic train` is told: files, and the options of every stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from demotic.align import AlignOptions
from demotic.base.files import Pathish
from demotic.corpus import PrepareOptions
from demotic.decode import DecodeOptions
from demotic.decode.model_folder import FeatureOptions
from demotic.grammar import ExtractOptions
from demotic.lm import ClassLmOptions, LmOptions


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
