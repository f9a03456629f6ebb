"""What happens to a model in use: corrections that it learns from, undo, forgetting."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.adapt.correction import CorrectionOptions
    from demotic.adapt.forgetting import Forgotten, forget, matching_pairs
    from demotic.adapt.learning_model import LearningModel
else:
    __getattr__ = lazy_exports(__name__)

__all__ = ["CorrectionOptions", "Forgotten", "LearningModel", "forget", "matching_pairs"]
