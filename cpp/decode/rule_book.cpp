#include "decode/rule_book.hpp"

#include <algorithm>
#include <utility>

namespace demotic {
namespace {
constexpr Symbol kGlueStartTarget[] = {nonterminal(0)};
constexpr Symbol kGlueTarget[] = {nonterminal(0), nonterminal(1)};
}  // namespace

RuleBook::RuleBook(std::vector<std::string> sentence, std::shared_ptr<const Grammar> grammar,
                   std::shared_ptr<const RuleFeatures> features)
    : sentence_(std::move(sentence)), grammar_(std::move(grammar)), features_(std::move(features)) {
  for (const auto& block : grammar_->blocks) {
    block_begins_.push_back(translation_rules_);
    translation_rules_ += static_cast<std::uint32_t>(block->rules.size());
  }
  block_begins_.push_back(translation_rules_);
}

RuleKind RuleBook::kind(RuleId rule) const {
  if (rule < translation_rules_) return RuleKind::kTranslation;
  if (rule < glue_start()) return RuleKind::kPassThrough;
  return rule == glue_start() ? RuleKind::kGlueStart
         : rule == glue()     ? RuleKind::kGlue
                              : RuleKind::kGoal;
}

RuleBook::Place RuleBook::place(RuleId rule) const {
  const auto block = static_cast<std::size_t>(std::ranges::upper_bound(block_begins_, rule) -
                                              block_begins_.begin()) -
                     1;
  const RuleBlock& content = *grammar_->blocks[block];
  const std::uint32_t inside = rule - block_begins_[block];
  const auto side =
      std::ranges::upper_bound(content.sides, inside, {}, &SourceSide::rule_begin) - 1;
  return {&content, &*side, inside};
}

std::span<const Symbol> RuleBook::target(RuleId rule) const {
  switch (kind(rule)) {
    case RuleKind::kTranslation: {
      const Place at = place(rule);
      return at.block->target(at.block->rules[at.rule]);
    }
    case RuleKind::kGlue:
      return kGlueTarget;
    case RuleKind::kPassThrough:
      return {};
    default:
      return kGlueStartTarget;
  }
}

std::span<const float> RuleBook::dense(RuleId rule) const {
  if (rule >= translation_rules_) return {};
  const Place at = place(rule);
  const std::size_t width = grammar_->feature_names->size();
  return std::span(at.block->features).subspan(at.rule * width, width);
}

std::span<const RuleFeature> RuleBook::sparse(RuleId rule) const {
  return features_ == nullptr || rule >= translation_rules_ ? std::span<const RuleFeature>()
                                                            : features_->rule(rule);
}

std::size_t RuleBook::words(RuleId rule) const {
  if (kind(rule) == RuleKind::kPassThrough) return 1;
  return static_cast<std::size_t>(
      std::ranges::count_if(target(rule), [](Symbol symbol) { return symbol >= 0; }));
}

}  // namespace demotic
