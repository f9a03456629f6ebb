#include "features/feature_transform.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/test.hpp"
#include "features/rule_features.hpp"
#include "grammar/cdec_format.hpp"

namespace demotic::feature_transform_test {

using Fired = std::vector<std::pair<std::size_t, float>>;

Fired fired(const FeatureTransform& transform, std::size_t input, float value) {
  Fired all;
  transform.apply(input, value, [&](std::size_t output, float y) { all.emplace_back(output, y); });
  return all;
}

std::vector<TransformedFeature> features() {
  return {{"TM", {0.15, 0.5}, {"a", "b", "c"}}, {"Count", {}, {"Count"}}};
}

TEST("a value fires its bin, or that and its neighbours") {
  const FeatureTransform plain(features(), false), overlapping(features(), true);
  CHECK(fired(plain, 0, 0.1f) == Fired({{0, 1.0f}}));
  CHECK(fired(plain, 0, 0.5f) == Fired({{1, 1.0f}}));  // on a boundary: the lower one
  CHECK(fired(plain, 0, 1e9f) == Fired({{2, 1.0f}}));
  CHECK(fired(overlapping, 0, -1e9f) == Fired({{0, 1.0f}, {1, 1.0f}}));
  CHECK(fired(overlapping, 0, 0.3f) == Fired({{0, 1.0f}, {1, 1.0f}, {2, 1.0f}}));
  CHECK(fired(overlapping, 1, 7.0f) == Fired({{3, 7.0f}}));  // real-valued
  CHECK(fired(plain, 1, 0.0f).empty());
}

TEST("what is no number or no list of bins is refused") {
  const FeatureTransform transform(features(), false);
  CHECK(test::thrown<Error>([&] {
          fired(transform, 0, std::numeric_limits<float>::quiet_NaN());
        }).find("'TM' of a rule is not a number") != std::string::npos);
  const auto make = [](std::vector<double> boundaries) {
    FeatureTransform({{"TM", std::move(boundaries), {"a", "b", "c"}}}, false);
  };
  for (const auto& bad :
       std::vector<std::vector<double>>{{2, 1}, {1, 1}, {1}, {1, 2, 3}, {1, std::nan("")}})
    CHECK(test::thrown<Error>([&] { make(bad); }) == "the bins of 'TM' must have rising borders");
}

TEST("bins have names in a sentence, known to the index or not") {
  const auto grammar = std::make_shared<const Grammar>(from_cdec_format(
      "[X] ||| a ||| b ||| TM=0.1 Count=2 |||\n[X] ||| a ||| c ||| TM=0.7 Count=2 |||\n", "rules"));
  const auto templates = std::make_shared<const TemplateSet>(
      std::vector<std::string>{"shape"}, nullptr,
      std::make_shared<const FeatureTransform>(features(), false));
  FeatureIndex index;
  index.intern("c");
  const RuleFeatures rules(grammar, templates, index);
  std::vector<std::string> names;
  for (const RuleFeature& feature : rules.entries())
    names.push_back(feature.is_local() ? rules.local_name(feature.local())
                                       : std::string(index.name(feature.feature)));
  CHECK(names == std::vector<std::string>({"shape:+|+", "a", "Count", "shape:+|+", "c", "Count"}));
  const std::vector<std::string> unknown = {"TM2"}, counted = {"CountFE"};
  CHECK(test::thrown<Error>([&] {
          input_values(*grammar, unknown);
        }).find("the rules have no feature 'TM2'") != std::string::npos);
  CHECK(test::thrown<Error>([&] {
          input_values(*grammar, counted);
        }).find("the rules have no feature 'CountFE'") != std::string::npos);
}

}  // namespace demotic::feature_transform_test
