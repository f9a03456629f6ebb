#include "grammar/grammar.hpp"

namespace demotic {

std::size_t RuleBlock::bytes() const {
  return sizeof *this + sides.capacity() * sizeof(SourceSide) + rules.capacity() * sizeof(Rule) +
         symbols.capacity() * sizeof(Symbol) + links.capacity() * sizeof(RuleLink) +
         statistics.capacity() * sizeof(RuleStatistics) + features.capacity() * sizeof(float);
}

std::size_t Grammar::rules() const {
  std::size_t all = 0;
  for (const auto& block : blocks) all += block->rules.size();
  return all;
}

std::vector<std::string> Grammar::labels_without_rules() const {
  std::vector<bool> used(labels.size(), false), rewritten(labels.size(), false);
  for (const auto& block : blocks)
    for (const SourceSide& side : block->sides) {
      rewritten[side.label] = true;
      for (std::size_t i = 0; i < side.nonterminals; ++i) used[side.children[i]] = true;
    }
  std::vector<std::string> missing;
  for (std::size_t label = 0; label < labels.size(); ++label)
    if (used[label] && !rewritten[label] && labels[label] != "X" && labels[label] != "S")
      missing.push_back(labels[label]);
  return missing;
}

}  // namespace demotic
