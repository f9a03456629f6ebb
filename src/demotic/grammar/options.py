"""How rules are extracted."""

from __future__ import annotations

from dataclasses import dataclass, fields

from demotic import _core
from demotic.base.checks import between


@dataclass(frozen=True)
class ExtractOptions:
    """Options of rule extraction; defaults are those of cdec's extractor, on which the papers stand.

    With at most 300 samples, patterns of three chunks are looked for among `scan_limit` occurrences of their rarest chunk, those
    of two among eight times as many: faster, and some rare rules are missed. With more samples, or `scan_limit=0`,
    every pattern that occurs no more often than `max_samples` has all of its occurrences, as with `max_samples=0`.
    """

    features: str = "cdec12"  # dense feature set: cdec12, hiero8, clark8, raw
    max_span: int = 15  # longest source and target span of a rule in the corpus, in words; at most 16
    max_symbols: int = 5  # terminals and nonterminals of a source side; at most 8
    max_nonterminals: int = 2  # at most 2
    min_gap: int = 1  # words that a nonterminal covers at least
    max_samples: int = 300  # occurrences of a pattern that are looked at; 0: all
    scan_limit: int = 2048  # occurrences of the rarest chunk that are searched, see above; 0: all
    max_targets: int = 0  # target sides kept per source side, best p(e|f) first; 0: all; seed 001 has 15
    lexical_mask: bool = True  # excluded sentences leave the lexical counts too
    cache_mb: int = 1024  # memory for finished patterns, at most; 0: no cache

    def __post_init__(self) -> None:
        # What the core can hold; narrower ranges are its own.
        between(
            0,
            (1 << 31) - 1,
            **{each.name: getattr(self, each.name) for each in fields(self) if each.type == "int"},
        )

    def native(self) -> _core.ExtractOptions:
        """The same for the native core."""
        native = _core.ExtractOptions()
        for name in ("max_span", "max_symbols", "max_nonterminals", "min_gap", "lexical_mask"):
            setattr(native, name, getattr(self, name))
        for name in ("max_samples", "scan_limit", "max_targets"):
            setattr(native, name, getattr(self, name))
        native.cache_bytes = self.cache_mb << 20
        return native
