"""Sparse features: templates, bins, names, the feature index, weights."""

from demotic._core import RuleFeatures
from demotic.features.binning import FeatureBins
from demotic.features.bins import Bins
from demotic.features.describe import describe
from demotic.features.discretization import DiscretizeOptions
from demotic.features.groups import FeatureGroups
from demotic.features.index import FeatureIndex
from demotic.features.names import Edge, FeatureName, Nonterminal, parse_name
from demotic.features.templates import NATIVE_TEMPLATES, TemplateSet, template, template_digests
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
    "RuleFeatures",
    "TemplateSet",
    "Weights",
    "describe",
    "parse_name",
    "template",
    "template_digests",
]
