"""Small random corpora, and grammars in a form that can be compared."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from demotic import _core
from demotic.grammar import ExtractOptions, Grammar, GrammarIndex, index_files
from grammar.slow_extractor import Pair, SlowRule

EXACT = ExtractOptions(max_samples=0)


@st.composite
def pairs(draw: st.DrawFn, max_words: int = 7) -> Pair:
    """A sentence pair over few words, with any alignment at all."""
    source = draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=max_words))
    target = draw(st.lists(st.sampled_from("uvwxyz"), min_size=1, max_size=max_words))
    link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return source, target, draw(st.sets(link, max_size=max_words + 3))


def corpora(min_size: int = 1, max_size: int = 12) -> st.SearchStrategy[list[Pair]]:
    """A few sentence pairs."""
    return st.lists(pairs(), min_size=min_size, max_size=max_size)


def write_corpus(corpus: Sequence[Pair], folder: Path) -> tuple[Path, Path, Path]:
    """Source, target and alignment files."""
    files = folder / "train.de", folder / "train.en", folder / "train.al"
    rows = [
        (" ".join(source), " ".join(target), " ".join(f"{i}-{j}" for i, j in sorted(links)))
        for source, target, links in corpus
    ]
    for file, lines in zip(files, zip(*rows, strict=True), strict=True):
        file.write_text("\n".join(lines) + "\n", "utf-8")
    return files


def index_of(corpus: Sequence[Pair], folder: Path, options: ExtractOptions = EXACT) -> GrammarIndex:
    """An index of the corpus."""
    return with_options(index_files(*write_corpus(corpus, folder), folder / "index.bin"), options)


def with_options(index: GrammarIndex, options: ExtractOptions) -> GrammarIndex:
    """The same index file in memory, with other options and a cache of its own."""
    other = copy.copy(index)
    other.options = options
    other.extractor = _core.Extractor(index.native, options.native(), options.features)
    return other


def by_sides(grammar: Grammar) -> dict[tuple[str, str], SlowRule]:
    """Rules by source and target side."""
    rules = {
        (" ".join(rule.source), " ".join(rule.target)): SlowRule(list(rule.features.values()), rule.alignment)
        for rule in grammar
    }
    assert len(rules) == len(grammar), "a rule comes twice"
    return rules


def assert_same(ours: dict[tuple[str, str], SlowRule], expected: dict[tuple[str, str], SlowRule]) -> None:
    """The same rules with the same alignments, and features within 1e-5."""
    assert ours.keys() == expected.keys()
    for sides, rule in expected.items():
        assert ours[sides].alignment == rule.alignment, sides
    if expected:
        difference = np.abs(
            np.array([np.subtract(ours[sides].features, expected[sides].features) for sides in expected])
        )
        assert difference.max() <= 1e-5, list(expected)[int(difference.max(axis=1).argmax())]
