// The nonterminal labels of a grammar and the order in which the labels of one span must be built.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grammar/grammar.hpp"

namespace demotic {

// X comes first, as the label of pass-through rules and the one that glue takes; the goal S is
// there in any case.
class LabelOrder {
 public:
  static constexpr std::uint32_t kDefault = 0;

  LabelOrder() = default;
  // Throws Error if rules that rewrite a label as another one over the same span form a cycle: such
  // a grammar has infinitely many derivations.
  explicit LabelOrder(const Grammar& grammar);

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  std::uint32_t goal() const { return goal_; }
  // A label after all labels that it can be rewritten as.
  const std::vector<std::uint32_t>& order() const { return order_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::uint32_t goal_ = 0;
  std::vector<std::uint32_t> order_;
};

}  // namespace demotic
