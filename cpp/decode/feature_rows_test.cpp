#include "decode/feature_rows.hpp"

#include <map>
#include <random>

#include "base/test.hpp"

namespace demotic::feature_rows_test {

TEST("rows are sorted and equal features added up in their order, as row by row in a map") {
  std::mt19937 random(11);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<std::uint64_t> begins = {0};
    std::vector<std::uint32_t> features;
    std::vector<double> values;
    std::vector<std::map<std::uint32_t, double>> expected(random() % 20);
    for (auto& row : expected) {
      for (auto left = random() % 30; left > 0; --left) {
        // Also numbers beyond 2^31, as features without an id have.
        const std::uint32_t feature = static_cast<std::uint32_t>(random() % 12) * 0x15555555u;
        const double value = static_cast<double>(random() % 1000) / 7;
        features.push_back(feature);
        values.push_back(value);
        const auto [place, is_new] = row.try_emplace(feature, value);
        if (!is_new) place->second += value;
      }
      begins.push_back(features.size());
    }
    sum_rows(begins, features, values);
    CHECK(begins.size() == expected.size() + 1);
    CHECK(begins.back() == features.size() && features.size() == values.size());
    std::size_t at = 0;
    for (std::size_t row = 0; row < expected.size(); ++row) {
      CHECK(begins[row] == at);
      for (const auto& [feature, value] : expected[row]) {
        CHECK(features[at] == feature);
        CHECK(values[at++] == value);  // to the bit: the same order of additions
      }
    }
    CHECK(at == features.size());
  }
}

TEST("a list without rows stays as it is, begun or not") {
  std::vector<std::uint64_t> nothing, begun = {0};
  std::vector<std::uint32_t> features;
  std::vector<double> values;
  sum_rows(nothing, features, values);
  sum_rows(begun, features, values);
  CHECK(nothing.empty() && begun == std::vector<std::uint64_t>{0});
}

}  // namespace demotic::feature_rows_test
