"""Reading, checking, preparing and storing parallel text."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.corpus.bitext import Bitext, Vocab, build_bitext
    from demotic.corpus.clean import CleanOptions
    from demotic.corpus.monolingual import MonolingualSummary, prepare_monolingual
    from demotic.corpus.preparation import PrepareSummary, prepare, prepare_lines
    from demotic.corpus.preprocess import PrepareOptions, Preprocessor
    from demotic.corpus.readers import Pair, read_pairs, read_parallel, read_po, read_tmx, read_tsv
    from demotic.corpus.splits import folds, shards
    from demotic.corpus.word_classes import WordClasses, cluster
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "Bitext",
    "CleanOptions",
    "MonolingualSummary",
    "Pair",
    "PrepareOptions",
    "PrepareSummary",
    "Preprocessor",
    "Vocab",
    "WordClasses",
    "build_bitext",
    "cluster",
    "folds",
    "prepare",
    "prepare_lines",
    "prepare_monolingual",
    "read_pairs",
    "read_parallel",
    "read_po",
    "read_tmx",
    "read_tsv",
    "shards",
]
