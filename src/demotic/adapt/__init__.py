"""What happens to a model in use: evidence for its translations, confidence, error budgets, an audit of its training pairs."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.adapt.audit import audit
    from demotic.adapt.contrasting import contrast
    from demotic.adapt.error_budget import error_budget
    from demotic.adapt.evidence import evidence_of
else:
    __getattr__ = lazy_exports(__name__)

__all__ = ["audit", "contrast", "error_budget", "evidence_of"]
