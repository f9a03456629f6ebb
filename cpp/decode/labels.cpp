#include "decode/labels.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"

namespace demotic {

LabelOrder::LabelOrder(const Grammar& grammar) : names_(grammar.labels) {
  const auto found = std::ranges::find(names_, "S");
  goal_ = static_cast<std::uint32_t>(found - names_.begin());
  if (found == names_.end()) names_.emplace_back("S");

  std::vector<std::set<std::uint32_t>> needs(names_.size());
  if (goal_ != kDefault) needs[goal_].insert(kDefault);  // glue: S -> X
  for (const auto& block : grammar.blocks)
    for (const SourceSide& side : block->sides)
      if (side.length == 1 && side.nonterminals == 1) needs[side.label].insert(side.children[0]);

  std::vector<bool> done(names_.size(), false);
  while (order_.size() < names_.size()) {
    const std::size_t before = order_.size();
    for (std::uint32_t label = 0; label < names_.size(); ++label) {
      if (done[label] ||
          !std::ranges::all_of(needs[label], [&](std::uint32_t other) { return done[other]; }))
        continue;
      done[label] = true;
      order_.push_back(label);
    }
    if (order_.size() == before) {
      const auto stuck = static_cast<std::size_t>(std::ranges::find(done, false) - done.begin());
      throw Error("rules rewrite [" + names_[stuck] + "] as itself over the same words",
                  "remove one rule of the cycle: a source side must not be a nonterminal alone, "
                  "unless it leads to words");
    }
  }
}

}  // namespace demotic
