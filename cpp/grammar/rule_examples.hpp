// The sentence pairs that a rule was extracted from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/index.hpp"
#include "grammar/options.hpp"
#include "grammar/rules_of_occurrence.hpp"

namespace demotic {

// A place in the corpus that gives a rule. Gaps are in the order of the source side.
struct RuleExample {
  std::uint32_t sentence;
  Span source, target;
  std::vector<PhraseGap> gaps;
};

// Every occurrence that extraction without a mask counts for the rule `source` -> `target`: as many
// as its c(f, e), by sentence and place. Empty for a rule that the corpus does not give.
std::vector<RuleExample> rule_examples(const GrammarIndex& index, const ExtractOptions& options,
                                       std::span<const Symbol> source,
                                       std::span<const Symbol> target);

}  // namespace demotic
