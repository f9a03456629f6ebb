#include "learn/expected_cost.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/test.hpp"
#include "learn/learn_test.hpp"

namespace demotic::expected_cost_test {

using Numbers = std::vector<double>;

const KBestList kList = test::list_of(
    {{{0, 1.0}, {1, 2.0}, {3, 1.0}}, {{0, 1.0}, {2, -1.0}, {3, 0.5}}, {{0, 1.0}, {1, 0.5}}});
const Numbers kCosts = {0.2, 0.7, 1.1};
constexpr double kTemperature = 1.7;

double loss_at(const Numbers& weights) {
  return expected_cost(kList, test::scores_of(kList, weights), kCosts, kTemperature).loss;
}

TEST("two hypotheses by hand") {
  const KBestList list = test::list_of({{{0, 1.0}}, {{1, 1.0}}});
  // Probabilities 1/4 and 3/4 at T = 2; costs 0 and 4: 3, and 1/2 x 1/4 x (0 - 3).
  const LossGradient result =
      expected_cost(list, Numbers{0, 2 * std::log(3.0)}, Numbers{0, 4}, 2.0);
  CHECK(std::abs(result.loss - 3) < 1e-12);
  CHECK((result.gradient.ids == std::vector<FeatureId>{0, 1}));
  CHECK(std::abs(result.gradient.values[0] + 0.375) < 1e-12 &&
        std::abs(result.gradient.values[1] - 0.375) < 1e-12);
}

TEST("the gradient is that of finite differences, and constant features have none") {
  const Numbers weights = {0.3, -0.4, 0.6, 0.1};
  const LossGradient result =
      expected_cost(kList, test::scores_of(kList, weights), kCosts, kTemperature);
  CHECK((result.gradient.ids == std::vector<FeatureId>{1, 2, 3}));
  for (std::size_t i = 0; i < result.gradient.ids.size(); ++i) {
    constexpr double kStep = 1e-6;
    Numbers up = weights, down = weights;
    up[result.gradient.ids[i]] += kStep;
    down[result.gradient.ids[i]] -= kStep;
    CHECK(std::abs((loss_at(up) - loss_at(down)) / (2 * kStep) - result.gradient.values[i]) < 1e-8);
  }
}

TEST("the gradient is exact beside a hypothesis that is nearly certain") {
  const KBestList list =
      test::list_of({{{0, 1.0}, {4, 1.0}}, {{1, 1.0}, {4, 1.0}}, {{2, 1.0}}, {{3, 1.0}}});
  const Numbers scores = {0, -40, -41, -42}, costs = {0.3, 0.5, 0.1, 0.9};
  const LossGradient result = expected_cost(list, scores, costs, 1);
  // The others have so little probability that only first powers of it count.
  Numbers expected(5);
  for (std::size_t i = 1; i < 4; ++i) {
    expected[i] = std::exp(scores[i]) * (costs[i] - costs[0]);
    expected[0] -= expected[i];
  }
  expected[4] = expected[0] + expected[1];
  CHECK((result.gradient.ids == std::vector<FeatureId>{0, 1, 2, 3, 4}));
  for (std::size_t i = 0; i < result.gradient.ids.size(); ++i)
    CHECK(std::abs(result.gradient.values[i] / expected[i] - 1) < 1e-9);
}

TEST("large scores do not overflow, and numbers that are none give no gradient") {
  const KBestList list = test::list_of({{{0, 1.0}}, {{1, 1.0}}});
  CHECK(std::abs(expected_cost(list, Numbers{1e5, 1e5}, Numbers{0, 1}, 1).loss - 0.5) < 1e-9);
  const LossGradient broken = expected_cost(list, Numbers{NAN, 0}, Numbers{0, 1}, 1);
  CHECK(!std::isfinite(broken.loss) && broken.gradient.ids.empty());
  CHECK(
      !test::thrown<Error>([&] { expected_cost(list, Numbers{0, 0}, Numbers{0, 1}, 0); }).empty());
}

}  // namespace demotic::expected_cost_test
