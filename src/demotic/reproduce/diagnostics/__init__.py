"""What goes wrong when weights are learnt, made visible: section 3 of Flanigan, Dyer and Carbonell (2013), and relatives."""

from demotic.reproduce.diagnostics.learning_curve import LearningCurve, draw_curve, learning_curve
from demotic.reproduce.diagnostics.seen_pairs import seen_pairs
from demotic.reproduce.diagnostics.weight_effect import (
    EffectOptions,
    WeightEffect,
    draw_effects,
    weight_effects,
)

__all__ = [
    "EffectOptions",
    "LearningCurve",
    "WeightEffect",
    "draw_curve",
    "draw_effects",
    "learning_curve",
    "seen_pairs",
    "weight_effects",
]
