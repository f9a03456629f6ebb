"""Weights of features that a decoder will never see: a slip of the pen, or another model's file."""

from __future__ import annotations

from demotic.base.errors import warn
from demotic.base.files import Pathish
from demotic.decode.decoder import Decoder
from demotic.decode.options import DECODER_FEATURES
from demotic.features.binning import TEMPLATE as BIN
from demotic.features.templates import template_names
from demotic.grammar import ADDITION, FEATURE_SETS, Grammar

_NAMED = 5  # so many names are said


def warn_of_unknown_weights(decoder: Decoder, file: Pathish, grammar: Grammar | None = None) -> None:
    """Warn of weights for dense features that neither the decoder nor its rules have, and of templates that do not exist.

    Single features of templates are not looked at: a weights file has many that do not fire on a given text.

    Args:
        decoder: with the weights.
        file: where they come from.
        grammar: rules of a sentence, if the decoder has none itself.
    """
    rules = decoder.rules if isinstance(decoder.rules, Grammar) else grammar
    dense = {name for name in DECODER_FEATURES[decoder.dense] if name} | set(FEATURE_SETS[decoder.dense])
    dense |= set(decoder.lms.features())
    dense |= set(rules.feature_names) if rules else {ADDITION}
    bins = decoder.templates.bins if decoder.templates else None
    dense |= set(bins.real) if bins else set()
    known = [*sorted(dense), *(f"{name}:" for name in (BIN, *template_names()))]
    unknown = [name for name in decoder.weights.heads() if name not in known]
    if unknown:
        said = ", ".join(_with_suggestion(name, known) for name in unknown[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        warn(f"{file}: weights of unknown features: {said}{more}")


def _with_suggestion(name: str, known: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"'{name}'" + (f" (did you mean '{near[0]}'?)" if near else "")
