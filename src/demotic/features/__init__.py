"""Sparse features: templates, bins, names, the feature index, weights."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic._core import RuleFeatures
    from demotic.features.binning import FeatureBins
    from demotic.features.bins import Bins
    from demotic.features.descriptions import describe
    from demotic.features.discretization import DiscretizeOptions
    from demotic.features.groups import FeatureGroups
    from demotic.features.index import FeatureIndex
    from demotic.features.labels import known_labels
    from demotic.features.names import Edge, FeatureName, Nonterminal, parse_name
    from demotic.features.packed_weights import PackedWeights
    from demotic.features.templates import (
        CLASS_TEMPLATES,
        LABELLED,
        NATIVE_TEMPLATES,
        TemplateSet,
        class_sizes,
        template,
        template_digests,
    )
    from demotic.features.weights import Weights
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "CLASS_TEMPLATES",
    "LABELLED",
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
    "class_sizes",
    "describe",
    "known_labels",
    "parse_name",
    "template",
    "template_digests",
]
