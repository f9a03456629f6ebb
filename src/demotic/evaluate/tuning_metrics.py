"""The metrics of corpora that weights can be tuned on, by name."""

from __future__ import annotations

from collections.abc import Callable

from demotic.base.errors import DemoticError
from demotic.evaluate.bleu import BLEU
from demotic.evaluate.chrf import Chrf
from demotic.evaluate.metric import Metric, MetricSum
from demotic.evaluate.ter import Ter

# Each is given the weight of TER, an option of mixtures.
TUNING_METRICS: dict[str, Callable[[float], Metric]] = {
    "bleu": lambda _: BLEU,
    "ter": lambda _: beside_bleu(Ter()),
    "chrf": lambda _: beside_bleu(Chrf()),
    "bleu-ter": lambda weight: beside_bleu(Ter(), weight),
}


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
    """What weights are tuned on, with BLEU in the first columns.

    Args:
        name: `bleu`; `ter`: 100 - TER; `chrf`; `bleu-ter`: (1 - ter_weight) x BLEU + ter_weight x (100 - TER).
        ter_weight: 0 to 1.
    """
    if not 0 <= ter_weight <= 1:
        raise DemoticError(f"a weight of TER of {ter_weight}", hint="0 (BLEU alone) to 1 (TER alone)")
    if name not in TUNING_METRICS:
        raise DemoticError(
            f"no metric to tune on is called '{name}'", hint=f"choose one of {', '.join(TUNING_METRICS)}"
        )
    return TUNING_METRICS[name](ter_weight)
