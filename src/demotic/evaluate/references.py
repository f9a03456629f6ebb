"""What a hypothesis is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.decode import KBest

TER_UNIT = _core.TER_UNIT

BLEU_ORDER = 4
MATCHES = slice(0, BLEU_ORDER)  # columns of the statistics
TOTALS = slice(BLEU_ORDER, 2 * BLEU_ORDER)
HYPOTHESIS_LENGTH = 2 * BLEU_ORDER
REFERENCE_LENGTH = 2 * BLEU_ORDER + 1
BLEU_COLUMNS = 2 * BLEU_ORDER + 2
TER_EDITS, TER_LENGTH = BLEU_COLUMNS, BLEU_COLUMNS + 1  # behind them, if asked for
TER_COLUMNS = 2


class References:
    """The references of one sentence, prepared for scoring many hypotheses.

    N-gram statistics are rows of ten integers: matches of n = 1 .. 4, each n-gram counted at most as often as in the reference
    that has it most often (Papineni et al. 2002); n-grams of the hypothesis, n = 1 .. 4; length of the hypothesis; length of the
    reference closest to it, the shorter of two that are as close. Rows add up over sentences to those of a corpus.

    TER statistics are two integers in units of 1/`TER_UNIT` word: edits with shifts to the reference that needs fewest, and the mean
    length of the references (Snover et al. 2006). Shifts are searched as tercom and sacrebleu do, with the same result.

    Args:
        references: one or more translations, each a list of tokens.
    """

    def __init__(self, references: Sequence[Sequence[str]]) -> None:
        for reference in references:
            if isinstance(reference, str):
                raise DemoticError(
                    "a reference must be a list of tokens (got a string)",
                    hint="give [line.split()] for one reference",
                )
        self.native = _core.References([list(reference) for reference in references])

    def statistics(self, kbest: KBest, with_ter: bool = False) -> npt.NDArray[np.int32]:
        """N-gram statistics of every hypothesis, shape (k, 10); with those of TER behind them, shape (k, 12)."""
        ngrams = self.native.statistics(kbest.native)
        return np.concatenate([ngrams, self.native.ter(kbest.native)], axis=1) if with_ter else ngrams

    def statistics_of(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """N-gram statistics of one sentence, shape (10,)."""
        return self.native.statistics_of(list(words))

    def ter_of(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """TER statistics of one sentence, shape (2,)."""
        return self.native.ter_of(list(words))

    def wer(self, kbest: KBest) -> npt.NDArray[np.float64]:
        """Word error rate of every hypothesis, shape (k,).

        Edit distance to a reference divided by its length, for the reference where this is smallest. An empty reference counts
        as one word long.
        """
        return self.native.wer(kbest.native)
