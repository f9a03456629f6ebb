#include "features/feature_transform.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/error.hpp"

namespace demotic {

InputReader::InputReader(const Grammar& grammar, std::span<const std::string> inputs)
    : width_(grammar.feature_names->size()) {
  const auto& columns = *grammar.feature_names;
  const bool has_statistics = std::ranges::all_of(
      grammar.blocks, [](const auto& block) { return !block->statistics.empty(); });
  for (const std::string& input : inputs) {
    const auto column = std::ranges::find(columns, input);
    const Feature* feature = find_feature(input);
    if (column != columns.end()) {
      sources_.push_back({column - columns.begin(), nullptr});
    } else if (input == kWordCount || grammar.blocks.empty()) {  // no rule, no value
      sources_.push_back({-1, nullptr});
    } else if (feature == nullptr || !has_statistics) {
      throw Error("the rules have no feature '" + input + "'",
                  feature == nullptr ? "does bins.toml belong to this model?"
                                     : "it is computed from counts, which rules from an index have "
                                       "and rules from a file do not");
    } else {
      sources_.push_back({-1, feature});
    }
  }
}

float InputReader::value(std::size_t input, const RuleBlock& block, const SourceSide& side,
                         std::uint32_t rule) const {
  const Source source = sources_[input];
  if (source.column >= 0)
    return block.features[rule * width_ + static_cast<std::size_t>(source.column)];
  if (source.feature != nullptr)
    return source.feature->value(facts_of(block, side, rule)) + 0.0f;  // + 0: no negative zero
  return static_cast<float>(std::ranges::count_if(block.target(block.rules[rule]),
                                                  [](Symbol symbol) { return symbol >= 0; }));
}

std::vector<float> input_values(const Grammar& grammar, std::span<const std::string> inputs) {
  const InputReader reader(grammar, inputs);
  std::vector<float> values;
  values.reserve(grammar.rules() * inputs.size());
  for (const auto& block : grammar.blocks)
    for (const SourceSide& side : block->sides)
      for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r)
        for (std::size_t i = 0; i < inputs.size(); ++i)
          values.push_back(reader.value(i, *block, side, r));
  return values;
}

std::size_t TransformedFeature::bin_of(double value) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(boundaries, value) - boundaries.begin());
}

FeatureTransform::FeatureTransform(std::vector<TransformedFeature> features, bool overlap)
    : features_(std::move(features)), overlap_(overlap) {
  for (const TransformedFeature& feature : features_) {
    const auto rises = [](double a, double b) { return a < b; };
    if (feature.names.size() != feature.boundaries.size() + 1 ||
        std::ranges::any_of(feature.boundaries, [](double b) { return !std::isfinite(b); }) ||
        std::ranges::adjacent_find(feature.boundaries, std::not_fn(rises)) !=
            feature.boundaries.end())
      throw Error("the bins of '" + feature.input + "' must have rising borders");
    inputs_.push_back(feature.input);
    first_output_.push_back(names_.size());
    for (const std::string& name : feature.names) {
      names_.push_back(&name);
      prints_.push_back(fingerprint(name));
    }
  }
}

void FeatureTransform::check(const TransformedFeature& feature, float value) {
  if (std::isnan(value))
    throw Error("the feature '" + feature.input + "' of a rule is not a number",
                "check the grammar that it comes from");
}

}  // namespace demotic
