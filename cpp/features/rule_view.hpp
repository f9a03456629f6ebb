// What a template sees of a rule.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "grammar/grammar.hpp"

namespace demotic {

// A grammar and what is looked up in it once, not per rule.
struct GrammarView {
  explicit GrammarView(const Grammar& all) : grammar(all) {
    for (std::size_t i = 0; i < all.feature_names->size(); ++i)
      if ((*all.feature_names)[i] == "CountEF") count_column = i;
  }

  const Grammar& grammar;
  std::optional<std::size_t> count_column;  // of the feature log10(1 + c(f, e))
};

struct RuleView {
  const GrammarView& context;
  const RuleBlock& block;
  const SourceSide& side;
  std::uint32_t rule;  // inside the block

  const Grammar& grammar() const { return context.grammar; }
  std::span<const Symbol> source() const { return block.source(side); }
  std::span<const Symbol> target() const { return block.target(block.rules[rule]); }
  std::span<const RuleLink> links() const { return block.alignment(block.rules[rule]); }

  // c(f, e): from the statistics of extraction or, in a grammar that was read from a file, from its feature CountEF.
  float count() const {
    if (!block.statistics.empty()) return block.statistics[rule].count_fe;
    if (!context.count_column) throw Error("this grammar has no rule counts, which the template count_bin needs", "grammars from an index have them; in a grammar file it is the feature CountEF");
    return std::round(std::pow(10.0f, block.features[rule * grammar().feature_names->size() + *context.count_column]) - 1);
  }
};

// Calls visit(block, side, first) for all source sides; `first` is the number of the side's first rule in the grammar.
template <class Visit>
void for_each_side(const Grammar& grammar, Visit visit) {
  std::uint32_t first = 0;
  for (const auto& block : grammar.blocks)
    for (const SourceSide& side : block->sides) {
      visit(*block, side, first);
      first += side.rule_end - side.rule_begin;
    }
}

}  // namespace demotic
