"""What learners report of their epochs, as columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from demotic.base.tables import figure
from demotic.evaluate import BLEU, TUNING_METRICS

# Of BLEU, the length stands between it and the others.
_METRICS = {name: metric.title for name, metric in TUNING_METRICS.items() if metric != BLEU}

EPOCH_COLUMNS = {
    "strength": "strength",
    "epoch": "epoch",
    "step": "step",
    "sentences": "sentences",
    "metric": "1-best metric",
    "train_bleu": "train BLEU",
    "bleu": "BLEU",
    "length_ratio": "length",
    **_METRICS,
    "objective": "objective",
    "list_bleu": "BLEU in lists",
    "hypotheses": "hypotheses",
    "new_hypotheses": "new",
    "tuples": "tuples",
    "loss": "loss",
    "grouping_loss": "grouping loss",
    "pairs": "pairs",
    "errors": "ranking errors",
    "skipped": "skipped",
    "search_bleu": "line search BLEU",
    "w1": "w1",
    "alpha": "alpha",
    "active_features": "active",
    "moved_features": "moved",
    "kept_features": "kept",
    "groups": "groups",
    "decode_seconds": "decoding s",
    "learn_seconds": "learning s",
    "held_out_bleu": "held-out BLEU",
    **{f"held_out_{name}": f"held-out {title}" for name, title in _METRICS.items()},
    "held_out_objective": "held-out objective",
    "degenerate": "warning",
}
# What the recipe takes, after the BLEU that it goes by.
_CHOICES = {
    "shares": "shares (dense, sparse)",
    "chosen": "decoded by",
    "chosen_dev_bleu": "then dev BLEU",
    "chosen_held_out_bleu": "then held-out BLEU",
}


def epoch_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Keys of what the rows have, in the order of the table, and how each is headed; watched sets come after what is always there."""
    keys = {key: key for row in rows for key in row}
    known = {key: name for key, name in EPOCH_COLUMNS.items() if key in keys}
    watched = {
        key: f"{key.removesuffix(f'_{name}')} {metric.title}"
        for key in keys
        for name, metric in TUNING_METRICS.items()
        if key.endswith(f"_{name}") and key not in known and key not in _CHOICES
    }
    choices = {key: name for key, name in _CHOICES.items() if key in keys}
    return {**known, **watched, **choices}


def epoch_figure(key: str, value: object) -> str:
    """A figure of an epoch as people write it; of the recipe also the blend that it takes, and how it chooses translations."""
    if isinstance(value, Mapping) and key in _CHOICES:
        with suppress(KeyError, TypeError, ValueError, OverflowError):  # a file that somebody has changed
            return _blend(value) if key == "shares" else _decoding(value)
    forms = {"metric": ".4f", "strength": "g", "w1": ".4g", "alpha": ".4g"}
    return format(value, forms[key]) if key in forms and isinstance(value, float) else figure(value)


def epoch_part(key: str, name: str, value: object) -> str:
    """A figure within a line, its unit behind it: `BLEU 31.02`, `decoding 3.77 s`."""
    shown = epoch_figure(key, value)
    return f"{name.removesuffix(' s')} {shown} s" if name.endswith(" s") else f"{name} {shown}"


def _blend(shares: Mapping[str, Any]) -> str:
    blend = f"{shares['dense']:g}, {shares['sparse']:g}"
    return f"{blend}, word penalty {penalty:+g}" if (penalty := shares.get("penalty")) else blend


def _decoding(way: Mapping[str, Any]) -> str:
    kind = "best score" if way["mbr"] == "none" else f"{way['mbr']}, scale {way['mbr_scale']:g}"
    return f"{kind}, word penalty {way['penalty']:+g}" if way["penalty"] else kind
