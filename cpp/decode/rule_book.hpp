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

enum class RuleKind : std::uint8_t {
  kTranslation,
  kPassThrough,
  kGlueStart,
  kGlue,
  kGoal,
  kForced
};

// A word of the sentence that stands for a span with a prescribed translation: no other rule reads
// it, and instead of a copying rule it has one that says `words`.
struct ForcedTranslation {
  std::uint32_t position;
  std::vector<std::string> words;
  std::vector<std::string> read_as;  // what the language model and the word penalty see of them
};

class RuleBook {
 public:
  // `features` may be null: no sparse features. Throws Error for features of another grammar, and
  // for forced translations without words, or outside the sentence.
  RuleBook(std::vector<std::string> sentence, std::shared_ptr<const Grammar> grammar,
           std::shared_ptr<const RuleFeatures> features,
           const std::vector<ForcedTranslation>& forced = {});

  const std::vector<std::string>& sentence() const { return sentence_; }
  const Grammar& grammar() const { return *grammar_; }
  const RuleFeatures* features() const { return features_.get(); }

  // Whether derivations have features of words where rules meet.
  bool has_borders() const {
    return features_ != nullptr && features_->templates() != nullptr &&
           features_->templates()->has_borders();
  }
  bool has_forced() const { return !forced_.empty(); }
  // The prescribed translation of a word; null if there is none.
  const ForcedTranslation* forced(std::size_t position) const {
    return forced_.empty() || forced_[position].words.empty() ? nullptr : &forced_[position];
  }

  // --- numbering: translation rules in the order of the grammar, then the others
  std::uint32_t translation_rules() const { return translation_rules_; }
  // Copying or forced.
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
  struct Content {
    // Words of the target vocabulary or nonterminals. Empty for pass-through and forced rules,
    // whose words may be in no vocabulary.
    std::span<const Symbol> target;
    std::span<const float> dense;         // the grammar's features; empty for other kinds
    std::span<const RuleFeature> sparse;  // empty for other kinds
  };
  Content content(RuleId rule) const;  // searches for its block: not for inner loops
  std::string_view pass_through_word(RuleId rule) const {
    return sentence_[rule - translation_rules_];
  }
  // What the language model reads of a pass-through or a forced rule.
  std::span<const std::string> read_as(RuleId rule) const;
  std::span<const RuleFeature> sparse(RuleId rule) const;  // empty for other kinds

 private:
  std::vector<std::string> sentence_;
  std::shared_ptr<const Grammar> grammar_;
  std::shared_ptr<const RuleFeatures> features_;
  std::vector<ForcedTranslation> forced_;    // by position; empty: none
  std::vector<std::uint32_t> block_begins_;  // and one past the end
  std::uint32_t translation_rules_ = 0;
};

}  // namespace demotic
