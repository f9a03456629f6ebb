"""Monolingual text for the language model, prepared like the target side of the parallel text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.base.parallel import parallel_map
from demotic.base.progress import Progress
from demotic.corpus.preprocess import PrepareOptions, Preprocessor
from demotic.corpus.text import check_tokenized, split_words

_BLOCK = 1000  # lines sent to a worker at a time
_SENTENCE_MARKS = frozenset({"<s>", "</s>"})


@dataclass(frozen=True)
class MonolingualSummary:
    """What monolingual text holds."""

    read: int  # lines
    lines: int  # of these, with words: the others are left out
    words: int
    parallel: int  # different sentences on the target side of the parallel text
    shared: int  # of these, also in the monolingual text

    @property
    def overlap(self) -> float:
        """Share of the parallel text's target sentences that the monolingual text has too."""
        return self.shared / self.parallel if self.parallel else 0.0


def prepare_monolingual(
    texts: Sequence[Pathish], out: Pathish, preprocessor: Preprocessor, target: Pathish, workers: int = 1
) -> MonolingualSummary:
    """Prepare monolingual text and write it as one file.

    Args:
        texts: raw text, or tokenised text if the preprocessor's options say so; one sentence per line.
        out: the file; compressed if its name ends in .gz or .xz.
        preprocessor: of the parallel text.
        target: prepared target side of the parallel text, which is looked for in the monolingual text.
        workers: processes that tokenise; the result does not depend on it.

    Raises:
        DemoticError: for unreadable text, text without words, and tokenised text with reserved words.
    """
    parallel = {_digest(line) for line in read_lines(target)}
    shared: set[bytes] = set()
    read = lines = words = 0
    with Progress("prepare: monolingual", unit="lines") as bar, atomic_write(out) as file:
        for path in texts:
            before = lines
            for block in _tokenized_blocks(path, preprocessor.options, workers):
                for sentence in block:
                    if prepared := preprocessor.finish(split_words(sentence), "target"):
                        line = " ".join(prepared)
                        file.write(line + "\n")
                        lines += 1
                        words += len(prepared)
                        if (digest := _digest(line)) in parallel:
                            shared.add(digest)
                read += len(block)
                bar.advance(len(block))
            if lines == before:
                raise DemoticError(
                    "the file has no words", path, hint="check the file, or remove it from --mono"
                )
    return MonolingualSummary(read, lines, words, len(parallel), len(shared))


def _tokenized_blocks(path: Pathish, options: PrepareOptions, workers: int) -> Iterator[list[str]]:
    if options.tokenized:
        checked = (_checked(line, path, number) for number, line in enumerate(read_lines(path), start=1))
        return _blocks(checked)
    work = partial(_tokenize_block, options=options)
    return parallel_map(work, _blocks(read_lines(path)), workers)


def _tokenize_block(lines: list[str], options: PrepareOptions) -> list[str]:
    tokenizer = options.tokenizer("target")
    return [" ".join(tokenizer.tokenize(line)) for line in lines]


def _checked(line: str, path: Pathish, number: int) -> str:
    check_tokenized(line, path, number)
    if marks := _SENTENCE_MARKS.intersection(split_words(line)):
        raise DemoticError(
            f"'{min(marks)}' is not allowed in the text",
            path,
            number,
            "remove sentence markers; they are added automatically",
        )
    return line


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    stream = iter(lines)
    while block := list(islice(stream, _BLOCK)):
        yield block


def _digest(line: str) -> bytes:
    """Eight bytes that stand for a sentence: millions of them fit into memory."""
    return hashlib.blake2b(line.encode(), digest_size=8).digest()
