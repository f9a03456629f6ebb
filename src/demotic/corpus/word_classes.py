"""Word classes: words that stand in the same places, found by the exchange algorithm."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write_bytes, read_blocks
from demotic.base.parallel import default_threads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_CLASSES = 2000  # kMostClasses of the core
ITERATIONS = 10  # passes over all words; later ones change the perplexity by less than a thousandth


class WordClasses:
    """The class of each word of a language, from 1; words that are in none have a class by their shape.

    Args:
        native: made by `cluster` or `load`.
    """

    def __init__(self, native: _core.WordClasses) -> None:
        self.native = native

    @classmethod
    def load(cls, path: Pathish, most: int) -> WordClasses:
        """Read lines `word<TAB>class`.

        Args:
            path: the file.
            most: the highest number that a class may have.

        Raises:
            DemoticError: for a malformed line or a word that comes twice, with the line; for classes without words.
        """
        return cls(_core.WordClasses.from_text(b"".join(read_blocks(path)), str(path), most))

    def save(self, path: Pathish) -> None:
        """Write the file, class by class, the most frequent words first."""
        with atomic_write_bytes(path) as file:
            file.write(self.native.to_text())

    def __len__(self) -> int:
        """Classes; there are fewer than were asked for if some have lost all their words."""
        return len(self.native)

    @property
    def words(self) -> int:
        """Words in any class."""
        return self.native.words

    def of(self, word: str) -> str:
        """The class of a word: its number; of a word in none `num` if it has a digit, `sym` if it has no letter, else `unk`."""
        return self.native.of(word)

    def members(self, number: int) -> list[str]:
        """The words of a class, the most frequent first."""
        return [word.decode("utf-8", "replace") for word in self.native.members(number)]

    def known(self, vocab: _core.Vocab) -> int:
        """How many words of a vocabulary are in a class."""
        return self.native.known(vocab)


def cluster(
    tokens: NDArray[np.uint32],
    vocab: _core.Vocab,
    classes: int,
    *,
    iterations: int = ITERATIONS,
    threads: int = 0,
) -> tuple[WordClasses, list[float]]:
    """Put the words of a text into classes that make it likely under a class bigram model.

    The exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney 1998): each word in turn moves to the class where the
    text is most likely. The likelihood never falls, and the result depends on the text alone.

    Args:
        tokens: ids of words + 1; 0 after each sentence.
        vocab: the words.
        classes: how many.
        iterations: passes over all words, at most; it ends when no word moves.
        threads: 0: all cores.

    Returns:
        The classes, and the perplexity of the text before the first pass and after each.
    """
    native, likelihoods = _core.exchange(tokens, vocab, classes, iterations, threads or default_threads())
    return WordClasses(native), [math.exp(-likelihood / max(1, len(tokens))) for likelihood in likelihoods]


def parse_sizes(text: str) -> tuple[int, ...]:
    """`50,200`: how many classes are wanted."""
    return checked_sizes([part.strip() for part in text.split(",")])


def checked_sizes(sizes: Sequence[int | str]) -> tuple[int, ...]:
    """Numbers of classes, each once, rising.

    Raises:
        DemoticError: for what is not a number that the algorithm takes.
    """
    for size in sizes:
        if not re.fullmatch("[0-9]{1,9}", str(size)) or not 2 <= int(size) <= MOST_CLASSES:
            raise DemoticError(
                f"the number of word classes must be from 2 to {MOST_CLASSES} (got {str(size)[:20]})",
                hint="e.g.  50,200",
            )
    return tuple(sorted({int(size) for size in sizes}))
