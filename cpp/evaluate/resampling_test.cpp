#include "evaluate/resampling.hpp"

#include <set>

#include "base/random.hpp"
#include "base/test.hpp"

namespace demotic::resampling_test {

TEST("numbers below n are all met, and none above") {
  Random random(7);
  std::set<std::uint32_t> met;
  for (int i = 0; i < 1000; ++i) met.insert(random.below(5));
  CHECK(met == (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST("streams of one seed differ, and repeat themselves") {
  CHECK(Random(1, 0).bits() != Random(1, 1).bits());
  CHECK(Random(1, 0).bits() != Random(2, 0).bits());
  CHECK(Random(1, 5).bits() == Random(1, 5).bits());
}

TEST("threads change nothing") {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(i % 7);
  const TestSet test_set{values.data(), 10, 3, 2};
  CHECK(bootstrap_sums(test_set, 300, 4, 1) == bootstrap_sums(test_set, 300, 4, 3));
  CHECK(shuffled_sums(test_set, 300, 4, 1) == shuffled_sums(test_set, 300, 4, 3));
}

TEST("a test set without sentences sums up to nothing") {
  const TestSet nothing{nullptr, 0, 2, 3};
  CHECK(bootstrap_sums(nothing, 2, 1, 1) == std::vector<double>(12, 0.0));
  CHECK(shuffled_sums(nothing, 2, 1, 1) == std::vector<double>(12, 0.0));
}

}  // namespace demotic::resampling_test
