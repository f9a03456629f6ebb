"""Rules from a suffix-array index of the corpus, extracted while decoding; no grammar files, no grammar per fold."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic._core import Mask
    from demotic.grammar.cdec_format import Segment, parse_grammar, read_grammar, read_segments, write_grammar
    from demotic.grammar.feature_sets import ADDITION, FEATURE_SETS
    from demotic.grammar.index import Exclude, GrammarIndex, build_index, index_files
    from demotic.grammar.options import ExtractOptions
    from demotic.grammar.per_sentence import extract_files
    from demotic.grammar.rules import Grammar, Rule, RuleCounts
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "ADDITION",
    "FEATURE_SETS",
    "Exclude",
    "ExtractOptions",
    "Grammar",
    "GrammarIndex",
    "Mask",
    "Rule",
    "RuleCounts",
    "Segment",
    "build_index",
    "extract_files",
    "index_files",
    "parse_grammar",
    "read_grammar",
    "read_segments",
    "write_grammar",
]
