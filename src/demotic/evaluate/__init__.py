"""Translation quality and significance."""

from demotic.evaluate.references import References
from demotic.evaluate.sentence_metrics import (
    SENTENCE_METRICS,
    PseudoDocument,
    SentenceMetric,
    sentence_metric,
)

__all__ = [
    "SENTENCE_METRICS",
    "PseudoDocument",
    "References",
    "SentenceMetric",
    "sentence_metric",
]
