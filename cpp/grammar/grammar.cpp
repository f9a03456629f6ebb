#include "grammar/grammar.hpp"

namespace demotic {

std::size_t RuleBlock::bytes() const {
  return sizeof *this + sides.capacity() * sizeof(SourceSide) + rules.capacity() * sizeof(Rule) + symbols.capacity() * sizeof(Symbol) +
         links.capacity() * sizeof(RuleLink) + statistics.capacity() * sizeof(RuleStatistics) + features.capacity() * sizeof(float);
}

std::size_t Grammar::rules() const {
  std::size_t all = 0;
  for (const auto& block : blocks) all += block->rules.size();
  return all;
}

}  // namespace demotic
