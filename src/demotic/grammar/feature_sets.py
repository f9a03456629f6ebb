"""Dense feature sets by name.

Probabilities enter as costs, `-log10 p`, as in cdec. `coherent` means divided by all occurrences looked at, those that
gave no rule included (Lopez 2008).

| feature | value |
|---|---|
| `EgivenFCoherent`, `PhraseEgivenF` | -log10 c(f,e) / n(f), n(f): occurrences of the source pattern in the sample |
| `PhraseFgivenE` | -log10 c(f,e) / n(e), n(e): occurrences of the target side, without nonterminals at its ends, in the corpus; with sampling both are extrapolated |
| `SampleCountF` | log10(1 + n(f)) |
| `CountEF` | log10(1 + c(f,e)) |
| `MaxLexFgivenE`, `LexFgivenE` | sum over the source words of -log10 of the best p(f_i given e_j), NULL included, 99 if there is none |
| `MaxLexEgivenF`, `LexEgivenF` | the same for the target words |
| `IsSingletonF` | 1 if exactly one occurrence gave a rule with this source side |
| `IsSingletonFE` | 1 if c(f,e) = 1 |
| `PhrasePenalty` | 1 |
| `Addition` | 1 for rules that pairs support which were added to the index; in every set of an index with additions |
| `CountF`, `CountFE`, `ProbEgivenF`, `ProbLexEgivenF`, `ProbLexFgivenE` | n(f), c(f,e) and probabilities as they are, for discretisation |

The decoder adds what is not a property of a rule: `cdec12` is completed by Glue, WordPenalty, PassThrough, LanguageModel
and LanguageModel_OOV; `hiero8` by LanguageModel, WordPenalty and Glue; `clark8` by WordPenalty, Glue, SourceOOV,
TargetOOV and LanguageModel. `raw` is no model's set.
"""

from __future__ import annotations

from demotic import _core

FEATURE_SETS: dict[str, tuple[str, ...]] = {
    name: tuple(names) for name, names in _core.feature_sets().items()
}
"""Name of the set -> what extraction contributes, in this order."""
ADDITION = _core.ADDITION
"""The feature of rules that added pairs support (Denkowski, Dyer and Lavie, 2014)."""
