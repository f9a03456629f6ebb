#include "learn/rampion.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/test.hpp"
#include "learn/learn_test.hpp"

namespace demotic::rampion_test {

using Numbers = std::vector<double>;

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

// Scores 1, 0 at weights (1, 0); hope is the second, which costs nothing; fear is the first.
const KBestList kList = test::list_of({{{0, 1.0}}, {{1, 2.0}}});
const Numbers kScores = {1, 0}, kCosts = {2, 0};

const LearnableFeatures kAll(Learnable::kAll);

TEST("the ramp loss is that of fear less that of hope") {
  Rampion rampion({});
  CHECK(rampion.add(kList, kScores, kCosts) == 3 - 0);  // max(1 + 2, 0 + 0) - max(1 - 2, 0 - 0)
  CHECK(rampion.lists() == 1);
}

TEST("one step goes from fear to hope") {
  Rampion rampion({.rounds = 1, .passes = 1, .step = 0.25, .l2 = 0});
  rampion.add(kList, kScores, kCosts);
  Numbers weights = {1, 0};
  CHECK(rampion.optimize(weights, kAll) == 1);
  CHECK(near(weights[0], 0.75) && near(weights[1], 0.5));
  CHECK(rampion.lists() == 0);
}

TEST("the pull shrinks what was learnt, shared out among the lists") {
  // Two equal lists, so each step first scales the change by 1 - step x l2 / 2 = 0.75.
  Rampion rampion({.rounds = 1, .passes = 1, .step = 0.25, .l2 = 2});
  rampion.add(kList, kScores, kCosts);
  rampion.add(kList, kScores, kCosts);
  Numbers weights = {1, 0};
  CHECK(rampion.optimize(weights, kAll) == 2);
  // Change after the first step (-0.25, 0.5), after the second 0.75 x that + the same.
  CHECK(near(weights[0], 1 - 0.4375) && near(weights[1], 0.875));
}

TEST("learning stops where fear is hope, and hopes are chosen anew every round") {
  Rampion rampion({.rounds = 20, .passes = 50, .step = 0.1, .l2 = 0});
  rampion.add(kList, kScores, kCosts);
  Numbers weights = {1, 0};
  // score(0) + 2 - score(1) = 3 before, and each step takes 0.1 x (1 + 4) = 0.5 of it: six steps
  // reach equality, one more may be taken by rounding.
  const auto steps = rampion.optimize(weights, kAll);
  CHECK(steps == 6 || steps == 7);
  CHECK(weights[0] + 2 <= 2 * weights[1] + 1e-9);
}

TEST("any number of passes can be made, though each shrinks what was learnt") {
  const RampionOptions options = {.rounds = 500, .passes = 5, .step = 0.37, .l2 = 1.1};
  Rampion rampion(options);
  rampion.add(kList, kScores, kCosts);
  Numbers weights = {1, 0}, printed = {1, 0};
  rampion.optimize(weights, kAll);
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    const bool hope = 2 * printed[1] > printed[0] - 2;  // which of the two
    for (std::uint32_t pass = 0; pass < options.passes; ++pass) {
      const bool fear = 2 * printed[1] > printed[0] + 2;
      const Numbers gradient = {double(hope) - double(fear), 2 * (double(fear) - double(hope))};
      for (std::size_t i = 0; i < 2; ++i)
        printed[i] -= options.step * (gradient[i] + options.l2 * (printed[i] - (i == 0)));
    }
  }
  CHECK(near(weights[0], printed[0]) && near(weights[1], printed[1]));
}

TEST("impossible options are refused") {
  CHECK(test::thrown<Error>([] { Rampion({.rounds = 0}); }) != "");
  CHECK(test::thrown<Error>([] { Rampion({.step = 2, .l2 = 1}); }) != "");
  Rampion rampion({});
  rampion.add(kList, kScores, kCosts);
  Numbers weights = {1};
  CHECK(test::thrown<Error>([&] { rampion.optimize(weights, kAll); }) != "");
}

}  // namespace demotic::rampion_test
