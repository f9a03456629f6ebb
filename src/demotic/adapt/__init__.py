"""What happens to a model in use: corrections, undo, forgetting, evidence, confidence, error budgets, an audit of its training pairs."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.adapt.auditing import audit
    from demotic.adapt.contrasting import contrast
    from demotic.adapt.correction import CorrectionOptions
    from demotic.adapt.diagnosing import error_budget
    from demotic.adapt.evidence import evidence_of
    from demotic.adapt.forgetting import Forgotten, forget, matching_pairs
    from demotic.adapt.learning_model import LearningModel
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "CorrectionOptions",
    "Forgotten",
    "LearningModel",
    "audit",
    "contrast",
    "error_budget",
    "evidence_of",
    "forget",
    "matching_pairs",
]
