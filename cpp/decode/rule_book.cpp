#include "decode/rule_book.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace demotic {
namespace {
constexpr Symbol kGlueStartTarget[] = {nonterminal(0)};
constexpr Symbol kGlueTarget[] = {nonterminal(0), nonterminal(1)};
}  // namespace

RuleBook::RuleBook(std::vector<std::string> sentence, std::shared_ptr<const Grammar> grammar,
                   std::shared_ptr<const RuleFeatures> features,
                   const std::vector<ForcedTranslation>& forced)
    : sentence_(std::move(sentence)), grammar_(std::move(grammar)), features_(std::move(features)) {
  if (features_ != nullptr && !features_->belong_to(*grammar_))
    throw Error("the sparse features belong to other rules",
                "compute them from the grammar that they are used with");
  for (const auto& block : grammar_->blocks) {
    block_begins_.push_back(translation_rules_);
    translation_rules_ += static_cast<std::uint32_t>(block->rules.size());
  }
  block_begins_.push_back(translation_rules_);
  if (!forced.empty()) forced_.resize(sentence_.size());
  for (const ForcedTranslation& each : forced) {
    if (each.position >= sentence_.size() || each.words.empty() || each.read_as.empty())
      throw Error("a forced translation needs words, and a place in the sentence");
    forced_[each.position] = each;
  }
}

RuleKind RuleBook::kind(RuleId rule) const {
  if (rule < translation_rules_) return RuleKind::kTranslation;
  if (rule < glue_start())
    return forced(rule - translation_rules_) ? RuleKind::kForced : RuleKind::kPassThrough;
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

RuleBook::Content RuleBook::content(RuleId rule) const {
  switch (kind(rule)) {
    case RuleKind::kTranslation: {
      const Place at = place(rule);
      const std::size_t width = grammar_->feature_names->size();
      return {at.block->target(at.block->rules[at.rule]),
              std::span(at.block->features).subspan(at.rule * width, width), sparse(rule)};
    }
    case RuleKind::kGlue:
      return {kGlueTarget, {}, {}};
    case RuleKind::kPassThrough:
    case RuleKind::kForced:
      return {};
    default:
      return {kGlueStartTarget, {}, {}};
  }
}

std::span<const RuleFeature> RuleBook::sparse(RuleId rule) const {
  return features_ == nullptr || rule >= translation_rules_ ? std::span<const RuleFeature>()
                                                            : features_->rule(rule);
}

std::span<const std::string> RuleBook::read_as(RuleId rule) const {
  const std::size_t position = rule - translation_rules_;
  const ForcedTranslation* const prescribed = forced(position);
  return prescribed ? std::span(prescribed->read_as) : std::span(sentence_).subspan(position, 1);
}

}  // namespace demotic
