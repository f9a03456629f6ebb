"""Options of decoding, and the decoder's own features in each dense set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from demotic import _core
from demotic.base.checks import at_least, between, positive
from demotic.base.options import unknown_name
from demotic.decode.mbr import MbrOptions
from demotic.lm.class_options import class_feature

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
    max_span: int = (
        15  # longest span of a translation rule, in source words; glue reaches over the whole sentence
    )
    lazy_corners: float = (
        0.0  # cube pruning scores rules that promise enough, if the LM gains this log10 at each joint; 0: all
    )
    copy: Literal["all", "unknown"] = (
        "all"  # words that may be copied: all, at the price of PassThrough, as in cdec; or those that no rule translates alone
    )

    def __post_init__(self) -> None:
        between(0, 1_000_000, pop_limit=self.pop_limit)  # more would only fill the memory; 0 is exhaustive
        between(1, 1_000_000, max_span=self.max_span)
        at_least(0, lazy_corners=self.lazy_corners)

    def native(
        self, dense: str, left_out: Sequence[str] = (), further_models: Sequence[str] = ()
    ) -> _core.DecodeOptions:
        """The same for the core, with the decoder's features named as in a dense set.

        Where a dense set has no feature that would hold copying back, only words are copied that no rule translates alone.

        Args:
            dense: name of the set.
            left_out: features of it that the model does not have.
            further_models: names of the features of further language models.
        """
        if dense not in DECODER_FEATURES:
            raise unknown_name("dense feature set", dense, list(DECODER_FEATURES))
        options = _core.DecodeOptions()
        options.pop_limit = self.pop_limit
        options.max_span = self.max_span
        options.lazy_corners = self.lazy_corners
        options.pass_through_all = dense == "cdec12" and self.copy == "all"
        options.feature_names = list(DECODER_FEATURES[dense])
        options.left_out = list(left_out)
        options.further_models = list(further_models)
        return options


@dataclass(frozen=True)
class TranslateOptions:
    """Which of the translations that were found a model gives."""

    mbr: Literal["none", "list", "consensus", "forest"] = (
        "none"  # minimum Bayes risk over a list, against its consensus, or over all derivations; none: the best score
    )
    mbr_scale: float = (
        10.0  # factor of the scores in the probabilities, for weights of length 1; higher is sharper
    )
    mbr_size: int = 200  # number of distinct translations compared
    corrections: bool = (
        True  # a sentence that was corrected (`demotic learn`) is translated as it was corrected
    )

    def __post_init__(self) -> None:
        positive(mbr_scale=self.mbr_scale)
        between(1, 100_000, mbr_size=self.mbr_size)

    def mbr_options(self, length: float, count: int = 1) -> MbrOptions:
        """Minimum Bayes risk for weights of a given length.

        Args:
            length: of the dense weights. Tuners leave weights of any length, which changes no 1-best translation but all
                probabilities.
            count: translations that are wanted.
        """
        if self.mbr == "none":
            raise ValueError("translations are chosen by their scores")
        return MbrOptions(self.mbr, self.mbr_scale / (length or 1.0), max(self.mbr_size, count))


CLASS_LM_WEIGHT = 0.2  # of a language model over word classes, beside those below

# Until a tuner has learnt better ones: sensible by hand, probabilities as costs, longer translations rewarded.
HAND_SET_WEIGHTS: dict[str, dict[str, float]] = {
    "cdec12": {
        "LanguageModel": 1.0,
        "EgivenFCoherent": -0.4,
        "MaxLexEgivenF": -0.3,
        "MaxLexFgivenE": -0.3,
        "CountEF": 0.1,
        "WordPenalty": -2.0,
        "PassThrough": -5.0,
        "LanguageModel_OOV": -1.0,
    },
    "hiero8": {
        "LanguageModel": 1.0,
        "PhraseEgivenF": -0.4,
        "PhraseFgivenE": -0.4,
        "LexEgivenF": -0.3,
        "LexFgivenE": -0.3,
        "PhrasePenalty": -0.2,
        "WordPenalty": -2.0,
    },
    "clark8": {
        "LanguageModel": 1.0,
        "EgivenFCoherent": -0.4,
        "LexEgivenF": -0.3,
        "LexFgivenE": -0.3,
        "WordPenalty": -2.0,
        "SourceOOV": -1.0,
        "TargetOOV": -1.0,
    },
}


def weights_by_hand(features: str, classes: Iterable[int] = ()) -> dict[str, float]:
    """Weights of a dense feature set, and of language models over so many word classes, that nobody has tuned."""
    return {**HAND_SET_WEIGHTS[features], **{class_feature(size): CLASS_LM_WEIGHT for size in classes}}
