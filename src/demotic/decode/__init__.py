"""Chart parsing, search, hypergraphs, translation."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.decode.batch import TranslatedLine, translate_lines
    from demotic.decode.constraints import SpanConstraint
    from demotic.decode.contributions import FeaturePart, feature_parts
    from demotic.decode.decoder import Decoder
    from demotic.decode.derivation import Derivation
    from demotic.decode.glossary import Glossary, Term
    from demotic.decode.hypergraph import Hypergraph
    from demotic.decode.kbest import KBest
    from demotic.decode.language_models import FurtherModel, LanguageModels
    from demotic.decode.mbr import MbrOptions, minimum_bayes_risk
    from demotic.decode.model import TranslationModel
    from demotic.decode.model_folder import ModelFolder, ModelOptions
    from demotic.decode.options import DecodeOptions, TranslateOptions
    from demotic.decode.protected import protected_spans
    from demotic.decode.unknown_weights import warn_of_unknown_weights
    from demotic.decode.verify import FileCheck, verify_model
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "DecodeOptions",
    "Decoder",
    "Derivation",
    "FeaturePart",
    "FileCheck",
    "FurtherModel",
    "Glossary",
    "Hypergraph",
    "KBest",
    "LanguageModels",
    "MbrOptions",
    "ModelFolder",
    "ModelOptions",
    "SpanConstraint",
    "Term",
    "TranslateOptions",
    "TranslatedLine",
    "TranslationModel",
    "feature_parts",
    "minimum_bayes_risk",
    "protected_spans",
    "translate_lines",
    "verify_model",
    "warn_of_unknown_weights",
]
