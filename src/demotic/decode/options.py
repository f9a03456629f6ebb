"""Options of decoding, and the decoder's own features in each dense set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demotic import _core

DenseSet = Literal["cdec12", "hiero8", "clark8"]

# Language model, target words it does not know, word penalty, glue, pass-through: an empty name leaves the feature out.
DECODER_FEATURES: dict[str, tuple[str, str, str, str, str]] = {
    "cdec12": ("LanguageModel", "LanguageModel_OOV", "WordPenalty", "Glue", "PassThrough"),
    "hiero8": ("LanguageModel", "", "WordPenalty", "Glue", ""),
    "clark8": ("LanguageModel", "TargetOOV", "WordPenalty", "Glue", "SourceOOV"),
}


@dataclass(frozen=True)
class DecodeOptions:
    """How a sentence is decoded; defaults: Simianer et al. (2012), footnote 5, and cdec."""

    pop_limit: int = 200  # hypotheses taken per cell in cube pruning; 0: all, which is exhaustive search
    max_span: int = 15  # longest span of a translation rule, in source words; glue reaches over the whole sentence
    # Names of the decoder's features. With cdec12 every word may also be copied (PassThrough); the other sets have no
    # feature that would hold copying back, so there only words are copied that no rule translates alone.
    dense: DenseSet = "cdec12"

    def native(self) -> _core.DecodeOptions:
        """The same for the core."""
        options = _core.DecodeOptions()
        options.pop_limit = self.pop_limit
        options.max_span = self.max_span
        options.pass_through_all = self.dense == "cdec12"
        options.feature_names = list(DECODER_FEATURES[self.dense])
        return options
