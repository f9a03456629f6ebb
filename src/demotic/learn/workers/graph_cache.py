"""Hypergraphs that a process keeps from one line search to the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence

from demotic.decode import Hypergraph

Graphs = Sequence[Hypergraph]


class GraphCache:
    """Hypergraphs of blocks of sentences, by what they were decoded with; any number of threads.

    Searches go through all blocks again and again in the same order. If not all fit, those that came first stay and the others
    are decoded each time; if the least recently used went, as usual, none would be there when it is asked for.
    """

    def __init__(self) -> None:
        self._blocks: dict[tuple[str, int], Graphs] = {}
        self._lock = threading.Lock()

    def get(self, decoded_with: str, block: int, limit: int, decode: Callable[[], Graphs]) -> Graphs:
        """The hypergraphs of a block.

        Args:
            decoded_with: digest of the weights.
            block: its number.
            limit: hypergraphs that may be kept.
            decode: makes them if they are not there.
        """
        with self._lock:
            kept = self._blocks.get((decoded_with, block))
        if kept is not None:
            return kept
        graphs = decode()
        with self._lock:
            if sum(map(len, self._blocks.values())) + len(graphs) <= limit:
                self._blocks[decoded_with, block] = graphs
        return graphs

    def keep_only(self, decoded_with: Collection[str]) -> None:
        """Forget the hypergraphs of other weights."""
        with self._lock:
            for key in [key for key in self._blocks if key[0] not in decoded_with]:
                del self._blocks[key]
