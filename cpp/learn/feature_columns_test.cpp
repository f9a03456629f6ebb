#include "learn/feature_columns.hpp"

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/test.hpp"
#include "features/packed_weights.hpp"

namespace demotic::feature_columns_test {

using Weights = std::map<std::string, double>;

Weights selected(const FeatureColumns& columns, const FeatureColumns::Selection& selection) {
  const std::string packed = columns.select(selection);
  Weights result;
  for_each_weight(packed,
                  [&](std::string_view name, double weight) { result.emplace(name, weight); });
  return result;
}

//            shard 1   2    3     l0   l1   l2^2   linf   mean
// Dense        0.5    0.5  0.5     3  1.5   0.75    0.5    0.5
// t:a          3      0   -3       2    6     18      3      0
// t:b          2      2    2       3    6     12      2      2
// t:c          0      4    -       1    4     16      4    4/3
// t:zero       0      -    -       0    0      0      0      0
FeatureColumns three_shards() {
  FeatureColumns columns;
  columns.add(pack({{"Dense", 0.5}, {"t:a", 3}, {"t:b", 2}, {"t:c", 0}, {"t:zero", 0}}));
  columns.add(pack({{"t:c", 4}, {"t:b", 2}, {"Dense", 0.5}}));
  columns.add(pack({{"t:a", -3}, {"t:b", 2}, {"Dense", 0.5}}));
  return columns;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

TEST("norms of columns by hand") {
  const FeatureColumns columns = three_shards();
  CHECK(columns.shards() == 3 && columns.features() == 5);
  CHECK(columns.norm("t:a", ColumnNorm::kL0) == 2 && columns.norm("t:a", ColumnNorm::kL1) == 6);
  CHECK(near(columns.norm("t:a", ColumnNorm::kL2), std::sqrt(18)) &&
        columns.norm("t:c", ColumnNorm::kLInfinity) == 4);
  CHECK(columns.norm("t:unseen", ColumnNorm::kL1) == 0);
}

TEST("the k columns of largest norm stay, with their mean") {
  const FeatureColumns columns = three_shards();
  // By l2: a, c, b, Dense. The mean of a is 0, so it takes its place and is not listed.
  CHECK((selected(columns, {.k = 2}) == Weights{{"t:c", 4.0 / 3}}));
  CHECK((selected(columns, {.k = 2, .zeros = true}) == Weights{{"t:a", 0}, {"t:c", 4.0 / 3}}));
  CHECK((selected(columns, {.k = 3}) == Weights{{"t:b", 2}, {"t:c", 4.0 / 3}}));
  CHECK((selected(columns, {}) == Weights{{"Dense", 0.5}, {"t:b", 2}, {"t:c", 4.0 / 3}}));
  CHECK((selected(columns, {.norm = ColumnNorm::kLInfinity, .k = 1}) == Weights{{"t:c", 4.0 / 3}}));
  // l1 of a and b is 6: the first by name stays.
  CHECK(
      (selected(columns, {.norm = ColumnNorm::kL1, .k = 1, .zeros = true}) == Weights{{"t:a", 0}}));
}

TEST("a threshold leaves columns out, and dense features may be kept beside k") {
  const FeatureColumns columns = three_shards();
  CHECK((selected(columns, {.norm = ColumnNorm::kL0, .threshold = 3}) ==
         Weights{{"Dense", 0.5}, {"t:b", 2}}));
  CHECK((selected(columns, {.norm = ColumnNorm::kLInfinity, .k = 1, .keep_dense = true}) ==
         Weights{{"Dense", 0.5}, {"t:c", 4.0 / 3}}));
}

TEST("shrinkage scales a column by its l2 norm, dense features aside") {
  const FeatureColumns columns = three_shards();
  const Weights found = selected(columns, {.shrinkage = 3.7, .keep_dense = true});
  CHECK(found.size() == 2 && found.at("Dense") == 0.5);  // b, of norm 3.46, is shrunk to 0
  CHECK(near(found.at("t:c"), (1 - 3.7 / 4) * 4 / 3));
}

TEST("impossible selections are refused") {
  CHECK(test::thrown<Error>([] { FeatureColumns().select({}); }) != "");
  CHECK(test::thrown<Error>([] { three_shards().select({.threshold = -1}); }) != "");
  CHECK(test::thrown<Error>([] { FeatureColumns().add("damaged"); }) != "");
  CHECK(test::thrown<Error>([] { column_norm("l3"); }).find("unknown norm 'l3'") !=
        std::string::npos);
  CHECK(column_norm("linf") == ColumnNorm::kLInfinity);
}

}  // namespace demotic::feature_columns_test
