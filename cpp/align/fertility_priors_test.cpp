#include "align/fertility_priors.hpp"

#include <cmath>

#include "base/test.hpp"

namespace demotic::fertility_priors_test {

// Fertilities 0, 1 and 2 of a word; the others are 0.
void count(std::vector<std::uint32_t>& counts, std::uint32_t zero, std::uint32_t one,
           std::uint32_t two) {
  for (const std::uint32_t number : {zero, one, two, 0u, 0u, 0u, 0u, 0u}) counts.push_back(number);
}

TEST("words of one frequency share a prior, as if all their links were one word's") {
  std::vector<std::uint32_t> counts;
  count(counts, 0, 0, 1);    // once
  count(counts, 0, 1, 0);    // once
  count(counts, 2, 5, 0);    // 7 times
  count(counts, 0, 3, 1);    // 4 times
  count(counts, 0, 900, 0);  // often
  FertilityPriors priors(5, 4);
  priors.update(counts, 1);
  const auto near = [](float value, double truth) { return std::abs(value - truth) < 1e-5; };
  for (const WordId rare : {0u, 1u, 5u}) {  // 5: unknown
    CHECK(near(priors.of(rare)[0], 4 * 0.01 / 2.08) && near(priors.of(rare)[3], 4 * 0.01 / 2.08));
    CHECK(near(priors.of(rare)[1], 4 * 1.01 / 2.08) && near(priors.of(rare)[2], 4 * 1.01 / 2.08));
  }
  for (const WordId middle : {2u, 3u}) {
    CHECK(near(priors.of(middle)[0], 4 * 2.01 / 11.08));
    CHECK(near(priors.of(middle)[1], 4 * 8.01 / 11.08));
    CHECK(near(priors.of(middle)[2], 4 * 1.01 / 11.08));
  }
  CHECK(near(priors.of(4)[1], 4 * 900.01 / 900.08));
}

TEST("sums over samples give the prior of their mean") {
  std::vector<std::uint32_t> once, thrice;
  count(once, 1, 2, 0);
  count(thrice, 3, 6, 0);
  FertilityPriors mean(1, 4), sum(1, 4);
  mean.update(once, 1);
  sum.update(thrice, 3);
  CHECK(mean.of(0) == sum.of(0));
}

TEST("classes double in width") {
  const auto c = FertilityPriors::frequency_class;
  CHECK(c(0) == 0 && c(1) == 0 && c(2) == 1 && c(3) == 1 && c(4) == 2 && c(7) == 2 && c(8) == 3);
  CHECK(c(511) == 8 && c(512) == 9 && c(1'000'000'000) == 9);
}

}  // namespace demotic::fertility_priors_test
