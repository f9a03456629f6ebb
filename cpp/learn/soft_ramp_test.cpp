#include "learn/soft_ramp.hpp"

#include <cmath>

#include "base/test.hpp"
#include "learn/learn_test.hpp"

namespace demotic::soft_ramp_test {

using Numbers = std::vector<double>;

const KBestList kList = test::list_of(
    {{{0, 1.0}, {1, 2.0}, {3, 1.0}}, {{0, 1.0}, {2, -1.0}, {3, 0.5}}, {{0, 1.0}, {1, 0.5}}});
const Numbers kCosts = {0.2, 0.7, 1.1};

double loss_at(const Numbers& weights) {
  return soft_ramp3(kList, test::scores_of(kList, weights), kCosts).loss;
}

TEST("two hypotheses by hand") {
  const KBestList list = test::list_of({{{0, 1.0}}, {{1, 1.0}}});
  // Scores 0, 0; costs 0, 1:  log(1 + e) - log(1 + 1/e) = 1,  p+ - p- of the second = e / (1 + e) -
  // 1 / (1 + e).
  const LossGradient result = soft_ramp3(list, Numbers{0, 0}, Numbers{0, 1});
  const double expected = (std::exp(1) - 1) / (std::exp(1) + 1);
  CHECK(std::abs(result.loss - 1) < 1e-12);
  CHECK((result.gradient.ids == std::vector<FeatureId>{0, 1}));
  CHECK(std::abs(result.gradient.values[0] + expected) < 1e-12 &&
        std::abs(result.gradient.values[1] - expected) < 1e-12);
}

TEST("the gradient is that of finite differences, and constant features have none") {
  const Numbers weights = {0.3, -0.4, 0.6, 0.1};
  const LossGradient result = soft_ramp3(kList, test::scores_of(kList, weights), kCosts);
  CHECK((result.gradient.ids == std::vector<FeatureId>{1, 2, 3}) && result.loss > 0);
  for (std::size_t i = 0; i < result.gradient.ids.size(); ++i) {
    constexpr double kStep = 1e-6;
    Numbers up = weights, down = weights;
    up[result.gradient.ids[i]] += kStep;
    down[result.gradient.ids[i]] -= kStep;
    CHECK(std::abs((loss_at(up) - loss_at(down)) / (2 * kStep) - result.gradient.values[i]) < 1e-8);
  }
}

TEST("large scores do not overflow, and numbers that are none give no gradient") {
  const KBestList list = test::list_of({{{0, 1.0}}, {{1, 1.0}}});
  CHECK(std::abs(soft_ramp3(list, Numbers{1e5, 1e5}, Numbers{0, 1}).loss - 1) < 1e-9);
  const LossGradient broken = soft_ramp3(list, Numbers{NAN, 0}, Numbers{0, 1});
  CHECK(!std::isfinite(broken.loss) && broken.gradient.ids.empty());
}

}  // namespace demotic::soft_ramp_test
