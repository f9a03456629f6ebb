// All rules that can apply to one sentence under one numbering: the grammar's, a copying rule per
// word, glue, and the goal.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decode/options.hpp"
#include "features/rule_features.hpp"
#include "grammar/grammar.hpp"

namespace demotic {

using RuleId = std::uint32_t;

enum class RuleKind : std::uint8_t { kTranslation, kPassThrough, kGlueStart, kGlue, kGoal };

class RuleBook {
 public:
  // `features` may be null: no sparse features.
  RuleBook(std::vector<std::string> sentence, std::shared_ptr<const Grammar> grammar,
           std::shared_ptr<const RuleFeatures> features);

  const std::vector<std::string>& sentence() const { return sentence_; }
  const Grammar& grammar() const { return *grammar_; }
  const RuleFeatures* features() const { return features_.get(); }

  // --- numbering: translation rules in the order of the grammar, then the others
  std::uint32_t translation_rules() const { return translation_rules_; }
  RuleId pass_through(std::size_t position) const {
    return translation_rules_ + static_cast<RuleId>(position);
  }
  RuleId glue_start() const {
    return translation_rules_ + static_cast<RuleId>(sentence_.size());
  }  // S -> X
  RuleId glue() const { return glue_start() + 1; }  // S -> S X
  RuleId goal() const { return glue_start() + 2; }  // <s> S </s>
  std::uint32_t size() const { return goal() + 1; }
  RuleKind kind(RuleId rule) const;

  // --- content
  // First rule of a block.
  std::uint32_t block_begin(std::size_t block) const { return block_begins_[block]; }
  struct Place {
    const RuleBlock* block;
    const SourceSide* side;
    std::uint32_t rule;  // inside the block
  };
  Place place(RuleId rule) const;  // translation rules only
  // Target side: words of the target vocabulary or nonterminals. Not for pass-through rules, whose
  // word may be in no vocabulary.
  std::span<const Symbol> target(RuleId rule) const;
  std::string_view pass_through_word(RuleId rule) const {
    return sentence_[rule - translation_rules_];
  }
  std::span<const float> dense(RuleId rule) const;  // the grammar's features; empty for other kinds
  std::span<const RuleFeature> sparse(RuleId rule) const;  // empty for other kinds
  std::size_t words(RuleId rule) const;                    // target words, nonterminals aside

 private:
  std::vector<std::string> sentence_;
  std::shared_ptr<const Grammar> grammar_;
  std::shared_ptr<const RuleFeatures> features_;
  std::vector<std::uint32_t> block_begins_;  // and one past the end
  std::uint32_t translation_rules_ = 0;
};

}  // namespace demotic
