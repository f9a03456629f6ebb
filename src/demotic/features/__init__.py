"""Sparse features: templates, bins, names, the feature index, weights."""

from demotic._core import RuleFeatures
from demotic.features.binning import FeatureBins
from demotic.features.bins import Bins
from demotic.features.describe import describe
from demotic.features.discretization import DiscretizeOptions
from demotic.features.groups import FeatureGroups
from demotic.features.index import FeatureIndex
from demotic.features.names import Edge, FeatureName, Nonterminal, parse_name
from demotic.features.packed_weights import PackedWeights
from demotic.features.templates import NATIVE_TEMPLATES, TemplateSet, template
from demotic.features.weights import Weights

__all__ = [
    "NATIVE_TEMPLATES",
    "Bins",
    "DiscretizeOptions",
    "Edge",
    "FeatureBins",
    "FeatureGroups",
    "FeatureIndex",
    "FeatureName",
    "Nonterminal",
    "PackedWeights",
    "RuleFeatures",
    "TemplateSet",
    "Weights",
    "describe",
    "parse_name",
    "template",
]
