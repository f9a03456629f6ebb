// Some rules of a grammar as a grammar of their own.
#pragma once

#include <cstdint>
#include <memory>

#include "grammar/grammar.hpp"

namespace demotic {

// Vocabularies, names and labels are shared; the rules are copied into one block. What extraction
// counted for whole blocks is not kept.
class GrammarSelection {
 public:
  explicit GrammarSelection(const Grammar& grammar)
      : grammar_(grammar), block_(std::make_shared<RuleBlock>()) {}

  // A rule of a block of the grammar. The rules of a side must follow each other.
  void add(const RuleBlock& block, const SourceSide& side, std::uint32_t rule);
  // All rules of a side.
  void add(const RuleBlock& block, const SourceSide& side);
  Grammar finish();  // once, at the end

 private:
  const Grammar& grammar_;
  std::shared_ptr<RuleBlock> block_;
  const SourceSide* last_ = nullptr;
};

}  // namespace demotic
