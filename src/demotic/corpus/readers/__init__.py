"""Readers of parallel text: line-aligned files, TSV, TMX, gettext catalogues. All stream and know their line numbers."""

from demotic.corpus.readers.pair import Pair
from demotic.corpus.readers.parallel import read_pairs, read_parallel
from demotic.corpus.readers.po import read_po
from demotic.corpus.readers.tmx import read_tmx
from demotic.corpus.readers.tsv import read_tsv

__all__ = ["Pair", "read_pairs", "read_parallel", "read_po", "read_tmx", "read_tsv"]
