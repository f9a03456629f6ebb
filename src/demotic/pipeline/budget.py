"""How many training sentences a learner can use in a given time."""

from __future__ import annotations

import re

from demotic.base.errors import DemoticError
from demotic.decode import TranslationModel
from demotic.learn import DataSizes, Learner

CORES = 2  # that a budget speaks of, whatever the machine has: the number of sentences must not depend on it
_MOST = 1e6  # in any unit
LEAST = 100  # training sentences: with fewer there is nothing to learn
# CPU seconds to decode a word into a list and to learn from it, with a model of 29,000 pairs, and how that grows with the pairs:
# Multi30k took 17 to 20 ms for sentences of 12 words, Europarl with 300,000 pairs 75 to 85 ms for 26 words.
_SECONDS_PER_WORD, _PAIRS, _GROWTH = 0.0018, 29_000, 0.25
_CLASS_LM = 0.6  # of this time comes on top for each language model over word classes


def parse_budget(text: str) -> float:
    """Seconds of `90s`, `45m`, `2h` or `1h30m`.

    Raises:
        DemoticError: for anything else.
    """
    match = re.fullmatch(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?", text.strip())
    parts = [float(part or 0) for part in match.groups()] if match else [0.0]
    if not match or not 0 < sum(parts) < _MOST:
        raise DemoticError(f"'{text[:40]}' is not a time", hint="e.g.  --budget 45m  or  --budget 1h30m")
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def sentences_within(
    seconds: float,
    learner: Learner,
    model: TranslationModel,
    dev: int = 0,
    select: int = 0,
    class_lms: int = 0,
) -> int:
    """The largest number of training sentences with which a learner stays within a budget; at most all pairs.

    It is computed from the size of the corpus and the length of its sentences, not measured: the same command gives the same
    model on every machine. On a slow or busy one it takes longer.

    Args:
        seconds: on two cores.
        learner: what it decodes is known from its options.
        model: whose pairs are learnt from.
        dev: sentences of the dev set of a learner that takes both.
        select: sentences that are translated after each epoch.
        class_lms: language models over word classes that it decodes with.

    Raises:
        DemoticError: if even a few are too many.
    """
    pairs = len(model.index)
    words = sum(len(model.index.source(i)) for i in range(0, pairs, max(1, pairs // 1000)))
    per_pair = words / len(range(0, pairs, max(1, pairs // 1000)))
    each = _SECONDS_PER_WORD * per_pair * (pairs / _PAIRS) ** _GROWTH * (1 + _CLASS_LM * class_lms)

    def needed(sentences: int) -> float:
        work = learner.decodings(DataSizes(sentences, dev, select))
        return float((work.lists + work.looked_at) * each / CORES)

    least = min(LEAST, pairs)
    if needed(least) > seconds:
        raise DemoticError(
            f"the budget of {seconds / 60:.0f} minutes is too small: {least} training sentences take about {needed(least) / 60:.0f}",
            hint="raise --budget, or give a smaller dev set",
        )
    low, high = least, pairs
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if needed(middle) <= seconds else (low, middle - 1)
    return low
