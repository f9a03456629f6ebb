#include "learn/mira.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "base/test.hpp"
#include "learn/learn_test.hpp"

namespace demotic::mira_test {

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

// ||w' - w||^2 / 2 + C max(0, the largest violation), for w' = w + sum of coefficient x features.
double objective(const KBestList& list, std::vector<double> weights,
                 const std::vector<double>& metric, std::size_t hope,
                 const std::vector<double>& coefficients, double c) {
  std::vector<double> change(weights.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = list.row_begins[i]; j < list.row_begins[i + 1]; ++j)
      change[list.features[j]] += coefficients[i] * list.values[j];
  double norm = 0, slack = 0;
  for (std::size_t f = 0; f < change.size(); ++f) {
    norm += change[f] * change[f];
    weights[f] += change[f];
  }
  const auto scores = test::scores_of(list, weights);
  for (std::size_t i = 0; i < list.size(); ++i)
    slack = std::max(slack, metric[hope] - metric[i] - (scores[hope] - scores[i]));
  return norm / 2 + c * slack;
}

TEST("hope against fear: the closed form of a single constraint") {
  // Hope is hypothesis 0: 0 + 1 against 0.5 + 0.25.
  const KBestList list = test::list_of({{{0, 1.0}}, {{1, 2.0}}});
  const std::vector<double> metric = {1, 0.25}, scores = {0, 0.5};
  const LearnableFeatures all(Learnable::kAll);
  // Loss (1 - 0.25) - (0 - 0.5) = 1.25, ||x||^2 = 1 + 4: step min(C, 1.25 / 5).
  for (const double c : {0.1, 0.25, 1.0}) {
    const MiraUpdate update = mira_update(list, scores, metric, all, {.c = c, .constraints = 1});
    const double step = std::min(c, 0.25);
    CHECK(near(update.loss, 1.25) && update.constraints == 1);
    CHECK(near(update.coefficients[0], step) && near(update.coefficients[1], -step));
  }
}

TEST("a list without a violated constraint changes nothing") {
  const KBestList list = test::list_of({{{0, 1.0}}, {{1, 2.0}}});
  const LearnableFeatures all(Learnable::kAll);
  const MiraUpdate update =
      mira_update(list, std::vector<double>{2, 0}, std::vector<double>{1, 0.25}, all, {});
  CHECK(update.loss == 0 && update.constraints == 0 &&
        update.coefficients == std::vector<double>(2));
  CHECK(mira_update(test::list_of({}), {}, {}, all, {}).coefficients.empty());
}

TEST("features that may not change have no part in the step") {
  const KBestList list = test::list_of({{{0, 1.0}}, {{1, 2.0}}});
  FeatureIndex index;
  index.intern("Dense");
  index.intern("shape:a");
  LearnableFeatures dense(Learnable::kDense);
  dense.classify(index);
  // ||x||^2 is 1 without the sparse feature.
  const MiraUpdate update =
      mira_update(list, std::vector<double>{0, 0.5}, std::vector<double>{1, 0.25}, dense,
                  {.c = 10, .constraints = 1});
  CHECK(near(update.coefficients[0], 1.25));
}

TEST("with all constraints no other step is better") {
  std::mt19937 random(1);
  const auto number = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
  const LearnableFeatures all(Learnable::kAll);
  for (int repeat = 0; repeat < 30; ++repeat) {
    std::vector<test::Row> rows(5);
    std::vector<double> weights(4), metric(5);
    for (double& weight : weights) weight = number();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      metric[i] = (number() + 1) / 2;
      for (FeatureId f = 0; f < 4; ++f) rows[i].emplace_back(f, number());
    }
    const KBestList list = test::list_of(rows);
    const auto scores = test::scores_of(list, weights);
    std::size_t hope = 0;
    for (std::size_t i = 1; i < 5; ++i)
      if (scores[i] + metric[i] > scores[hope] + metric[hope]) hope = i;
    const MiraUpdate update = mira_update(list, scores, metric, all, {.c = 0.3, .constraints = 5});
    const double best = objective(list, weights, metric, hope, update.coefficients, 0.3);
    double sum = 0;
    for (const double coefficient : update.coefficients) sum += coefficient;
    CHECK(near(sum, 0));
    for (int trial = 0; trial < 300; ++trial) {
      auto other = update.coefficients;
      const double size = trial % 3 == 0 ? 1e-3 : 0.1;
      for (double& coefficient : other) coefficient += size * number();
      CHECK(objective(list, weights, metric, hope, other, 0.3) >= best - 1e-9);
    }
  }
}

TEST("impossible options are refused") {
  CHECK(test::thrown<Error>([] { MiraOptions{.c = 0}.check(); }) != "");
  CHECK(test::thrown<Error>([] { MiraOptions{.constraints = 0}.check(); }) != "");
}

}  // namespace demotic::mira_test
