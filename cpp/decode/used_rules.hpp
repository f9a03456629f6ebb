// The translation rules that a forest uses, numbered anew for a grammar of these alone.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "decode/hypergraph.hpp"

namespace demotic {

class UsedRules {
 public:
  explicit UsedRules(const Forest& forest) : before_(forest.book->translation_rules()) {
    for (const UsedRule& used : forest.rules)
      if (used.kind == RuleKind::kTranslation) rules_.push_back(used.rule);
    std::ranges::sort(rules_);
  }

  // As the forest's book numbers them, rising.
  std::span<const RuleId> rules() const { return rules_; }

  // The number of a rule of any kind in a book with the grammar of the used rules.
  RuleId number_of(RuleId rule) const {
    if (rule >= before_) return rule - before_ + static_cast<RuleId>(rules_.size());
    return static_cast<RuleId>(std::ranges::lower_bound(rules_, rule) - rules_.begin());
  }

 private:
  RuleId before_;  // translation rules of the forest's own book
  std::vector<RuleId> rules_;
};

}  // namespace demotic
