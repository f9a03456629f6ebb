"""Translation quality and significance."""

from demotic.evaluate.bleu import BLEU, Bleu, BleuScore, bleu_of_sums, bleu_score, corpus_bleu
from demotic.evaluate.chrf import Chrf
from demotic.evaluate.compare_systems import compare
from demotic.evaluate.comparison import Comparison, SystemResult
from demotic.evaluate.corpus_metrics import CORPUS_METRICS, CorpusMetric, CorpusScore, TextKind, corpus_metric
from demotic.evaluate.leaks import LeakReport, MonolingualLeaks, leak_check, monolingual_leaks
from demotic.evaluate.metric import Metric, MetricSum
from demotic.evaluate.oracles import hope_and_fear, oracle
from demotic.evaluate.read_texts import read_hypotheses, read_references
from demotic.evaluate.references import References
from demotic.evaluate.sentence_metrics import (
    SENTENCE_METRICS,
    BleuMetric,
    PseudoDocument,
    SentenceMetric,
    StatisticsMetric,
    sentence_metric,
)
from demotic.evaluate.significance import approximate_randomization, bootstrap_scores, paired_bootstrap
from demotic.evaluate.ter import Ter
from demotic.evaluate.tuning_metrics import TUNING_METRICS, beside_bleu, tuning_metric

__all__ = [
    "BLEU",
    "CORPUS_METRICS",
    "SENTENCE_METRICS",
    "TUNING_METRICS",
    "Bleu",
    "BleuMetric",
    "BleuScore",
    "Chrf",
    "Comparison",
    "CorpusMetric",
    "CorpusScore",
    "LeakReport",
    "Metric",
    "MetricSum",
    "MonolingualLeaks",
    "PseudoDocument",
    "References",
    "SentenceMetric",
    "StatisticsMetric",
    "SystemResult",
    "Ter",
    "TextKind",
    "approximate_randomization",
    "beside_bleu",
    "bleu_of_sums",
    "bleu_score",
    "bootstrap_scores",
    "compare",
    "corpus_bleu",
    "corpus_metric",
    "hope_and_fear",
    "leak_check",
    "monolingual_leaks",
    "oracle",
    "paired_bootstrap",
    "read_hypotheses",
    "read_references",
    "sentence_metric",
    "tuning_metric",
]
