"""Per-sentence grammars as files, for other decoders. Demotic itself never writes them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, make_folder, read_lines
from demotic.base.parallel import default_threads
from demotic.base.progress import Progress
from demotic.grammar.cdec_format import Segment, write_grammar
from demotic.grammar.index import GrammarIndex

_IN_FLIGHT = 4  # sentences per thread


def extract_files(
    index: GrammarIndex, source: Pathish, out: Pathish, leave_one_out: bool = False, threads: int = 0
) -> Iterator[tuple[Segment, int]]:
    """Write `out/grammar.N.gz` for line N of a tokenised file; yield the segment line and the number of rules, in order.

    Args:
        index: with the options of extraction.
        source: one sentence per line; ` ||| ` and what follows is passed through.
        out: folder, created if absent.
        leave_one_out: line N is sentence N of the index's own corpus and is treated as absent.
        threads: 0: all cores.
    """
    folder = make_folder(out).absolute()
    workers = threads or default_threads()

    def work(numbered: tuple[int, str]) -> tuple[Segment, int]:
        number, line = numbered
        sentence, bar, rest = line.partition(" ||| ")
        words = [word for word in sentence.split(" ") if word]  # as in the bitext
        if leave_one_out:
            _check_own_sentence(index, words, number, source)
        grammar = index.grammar(words, exclude=number if leave_one_out else None)
        path = folder / f"grammar.{number}.gz"
        write_grammar(grammar, path)
        return Segment(" ".join(words), number, path, bar + rest), len(grammar)

    lines = enumerate(read_lines(source))
    with ThreadPoolExecutor(workers) as pool, Progress("extract", unit="sentences") as progress:
        pending = [pool.submit(work, item) for item in islice(lines, _IN_FLIGHT * workers)]
        try:
            while pending:
                result = pending.pop(0).result()
                pending += [pool.submit(work, item) for item in islice(lines, 1)]
                progress.advance()
                yield result
        finally:
            for future in pending:
                future.cancel()


def _check_own_sentence(index: GrammarIndex, words: list[str], number: int, file: Pathish) -> None:
    """Leaving out sentence N for another sentence would be a silent mistake."""
    own = index.source(number) if number < len(index) else None
    if own is None or (own and own != words):
        raise DemoticError(
            f"this is not sentence {number} of the index",
            Path(file),
            number + 1,
            "leave-one-out needs the source side that the index was built from, in the same order",
        )
