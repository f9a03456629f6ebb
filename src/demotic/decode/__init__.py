"""Chart parsing, search, hypergraphs, translation."""

from demotic.decode.contributions import FeaturePart, feature_parts
from demotic.decode.decoder import Decoder
from demotic.decode.derivation import Derivation
from demotic.decode.hypergraph import Hypergraph
from demotic.decode.kbest import KBest
from demotic.decode.model import ModelOptions, TranslationModel
from demotic.decode.options import DecodeOptions

__all__ = [
    "DecodeOptions",
    "Decoder",
    "Derivation",
    "FeaturePart",
    "Hypergraph",
    "KBest",
    "ModelOptions",
    "TranslationModel",
    "feature_parts",
]
