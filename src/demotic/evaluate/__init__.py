"""Translation quality and significance."""

from demotic.evaluate.compare_systems import compare
from demotic.evaluate.comparison import Comparison, SystemResult
from demotic.evaluate.corpus_bleu import BleuScore, bleu_of_sums, bleu_score, corpus_bleu, corpus_statistics
from demotic.evaluate.corpus_metrics import CORPUS_METRICS, CorpusMetric, CorpusScore, TextKind, corpus_metric
from demotic.evaluate.leaks import LeakReport, MonolingualLeaks, leak_check, monolingual_leaks
from demotic.evaluate.oracles import oracle
from demotic.evaluate.read_texts import read_hypotheses, read_references
from demotic.evaluate.references import References
from demotic.evaluate.sentence_metrics import (
    SENTENCE_METRICS,
    BleuMetric,
    PseudoDocument,
    SentenceMetric,
    sentence_metric,
)
from demotic.evaluate.significance import approximate_randomization, bootstrap_scores, paired_bootstrap

__all__ = [
    "CORPUS_METRICS",
    "SENTENCE_METRICS",
    "BleuMetric",
    "BleuScore",
    "Comparison",
    "CorpusMetric",
    "CorpusScore",
    "LeakReport",
    "MonolingualLeaks",
    "PseudoDocument",
    "References",
    "SentenceMetric",
    "SystemResult",
    "TextKind",
    "approximate_randomization",
    "bleu_of_sums",
    "bleu_score",
    "bootstrap_scores",
    "compare",
    "corpus_bleu",
    "corpus_metric",
    "corpus_statistics",
    "leak_check",
    "monolingual_leaks",
    "oracle",
    "paired_bootstrap",
    "read_hypotheses",
    "read_references",
    "sentence_metric",
]
