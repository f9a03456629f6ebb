"""Sparse features: templates, names, the feature index, weights."""

from demotic._core import RuleFeatures
from demotic.features.describe import describe
from demotic.features.groups import FeatureGroups
from demotic.features.index import FeatureIndex
from demotic.features.names import Edge, FeatureName, Nonterminal, parse_name
from demotic.features.templates import NATIVE_TEMPLATES, TemplateSet, template
from demotic.features.weights import Weights

__all__ = [
    "NATIVE_TEMPLATES",
    "Edge",
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
]
