"""The metrics of corpora that weights can be tuned on, by name."""

from __future__ import annotations

from demotic.base.checks import between
from demotic.base.errors import DemoticError
from demotic.evaluate.bleu import BLEU
from demotic.evaluate.chrf import Chrf
from demotic.evaluate.metric import Metric, MetricSum
from demotic.evaluate.ter import Ter

# In the order of tables.
TUNING_METRICS: dict[str, Metric] = {
    "bleu": BLEU,
    "ter": Ter(),
    "chrf": Chrf(),
}
BLEU_TER = "bleu-ter"  # a mixture


def beside_bleu(metric: Metric, weight: float = 1.0) -> Metric:
    """The sum weight x metric + (1 - weight) x BLEU. BLEU comes first and is always counted: all tables show it and the length.

    Args:
        metric: BLEU itself, or another one.
        weight: 0 to 1.
    """
    if metric == BLEU or weight == 0:
        return BLEU
    return MetricSum(((1.0 - weight, BLEU), (weight, metric)))


def tuning_metric(name: str, ter_weight: float = 0.5) -> Metric:
    """What weights are tuned on, with the statistics of BLEU in the first columns.

    Args:
        name: one of `TUNING_METRICS`, of which `ter` stands for 100 - TER, or `bleu-ter`: (1 - ter_weight) x BLEU + ter_weight x (100 - TER).
        ter_weight: 0 to 1.
    """
    between(0, 1, ter_weight=ter_weight)
    if name == BLEU_TER:
        return beside_bleu(Ter(), ter_weight)
    if name not in TUNING_METRICS:
        known = ", ".join([*TUNING_METRICS, BLEU_TER])
        raise DemoticError(f"no metric to tune on is called '{name}'", hint=f"choose one of {known}")
    return beside_bleu(TUNING_METRICS[name])
