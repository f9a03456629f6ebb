// Named sets of dense features: what extraction knows of a rule, as the numbers that a model
// weighs. The features of the decoder (language model, word penalty, glue, pass-through, unknown
// words) complete each set.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/grammar.hpp"

namespace demotic {

struct RuleFacts {
  float samples;        // n(f)
  float occurrences_f;  // of the pattern in the corpus
  float count_f;        // of exactly this source side
  RuleStatistics rule;
};

RuleFacts facts_of(const RuleBlock& block, const SourceSide& side,
                   std::uint32_t rule);  // the block has statistics

struct Feature {
  std::string_view name;
  float (*value)(const RuleFacts&);
};

struct FeatureSet {
  std::string_view name;
  std::span<const Feature> features;
  bool needs_target_counts;  // RuleStatistics::occurrences_e

  // With additions, kAddition is the last one.
  std::vector<std::string> names(bool additions = false) const;
  // Fills block.features from block.statistics.
  void compute(RuleBlock& block, bool additions = false) const;
};

// 1 for rules that sentence pairs support which were added to the index; in every set of an index
// with additions (Denkowski, Dyer and Lavie, 2014).
constexpr std::string_view kAddition = "Addition";
inline bool has_addition(const Grammar& grammar) {
  return !grammar.feature_names->empty() && grammar.feature_names->back() == kAddition;
}

std::span<const FeatureSet> feature_sets();
// Throws Error for a name that does not exist.
const FeatureSet& feature_set(std::string_view name);
// A feature of any set, or null.
const Feature* find_feature(std::string_view name);

}  // namespace demotic
