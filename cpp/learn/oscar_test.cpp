#include "learn/oscar.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::oscar_test {

using Numbers = std::vector<double>;

// ||x - w||^2 / 2 + step OSCAR(x), with the norm as it is defined: over all pairs.
double objective(const Numbers& x, const Numbers& w, const OscarPenalty& penalty, double step) {
  double result = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result += (x[i] - w[i]) * (x[i] - w[i]) / 2 + step * penalty.lambda1 * std::abs(x[i]);
    for (std::size_t j = i + 1; j < x.size(); ++j)
      result += step * penalty.lambda2 * std::max(std::abs(x[i]), std::abs(x[j]));
  }
  return result;
}

Numbers prox(Numbers w, const OscarPenalty& penalty, double step) {
  OscarProx operate(penalty);
  operate(w, step);
  return w;
}

TEST("without pairs it is soft thresholding") {
  CHECK((prox({3, -0.5, 0.25, 0}, {.lambda1 = 0.5, .dimension = 4}, 1) == Numbers{2.5, 0, 0, 0}));
}

TEST("two weights by hand: near ones become one group, far ones do not") {
  const OscarPenalty penalty{.lambda1 = 0.25, .lambda2 = 1, .dimension = 2};
  // The larger loses 0.25 + 1, the smaller 0.25; where that would change their order both get the
  // mean.
  CHECK((prox({4, -2}, penalty, 1) == Numbers{2.75, -1.75}));
  CHECK((prox({-2.5, 2}, penalty, 1) == Numbers{-1.5, 1.5}));
  CHECK((prox({0.5, 0.25}, penalty, 1) == Numbers{0, 0}));
}

TEST("on a grid of three weights no point is better") {
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 12; ++repeat) {
    Numbers w(3);
    for (double& value : w) value = static_cast<double>(random() % 401) / 100 - 2;
    const OscarPenalty penalty{0.1 * static_cast<double>(random() % 5),
                               0.1 * static_cast<double>(random() % 5), 3};
    const Numbers found = prox(w, penalty, 0.7);
    const double best = objective(found, w, penalty, 0.7);
    double least = INFINITY;
    for (double a = -2; a <= 2; a += 0.1)
      for (double b = -2; b <= 2; b += 0.1)
        for (double c = -2; c <= 2; c += 0.1)
          least = std::min(least, objective({a, b, c}, w, penalty, 0.7));
    CHECK(best <= least + 1e-12 && best >= least - 0.02);
  }
}

TEST("no small step away from the result is better, and zeros need not be given") {
  std::mt19937 random(2);
  const auto number = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
  for (int repeat = 0; repeat < 50; ++repeat) {
    Numbers w(7);
    for (double& value : w) value = random() % 3 == 0 ? 0 : number();
    const OscarPenalty penalty{0.05, 0.04, 7};
    const Numbers found = prox(w, penalty, 1.5);
    const double best = objective(found, w, penalty, 1.5);
    for (int trial = 0; trial < 200; ++trial) {
      Numbers other = found;
      for (double& value : other) value += 0.01 * number();
      CHECK(objective(other, w, penalty, 1.5) >= best - 1e-12);
    }
    Numbers without, expected;
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w[i] != 0) {
        without.push_back(w[i]);
        expected.push_back(found[i]);
      }
    CHECK(prox(without, penalty, 1.5) == expected);
  }
}

TEST("impossible penalties, steps and weights are refused") {
  CHECK(test::thrown<Error>([] { prox({1}, {.lambda1 = -1, .dimension = 1}, 1); }) != "");
  CHECK(test::thrown<Error>([] { prox({1}, {.dimension = 1}, -1); }) != "");
  CHECK(test::thrown<Error>([] { prox({NAN}, {.dimension = 1}, 1); }) != "");
  CHECK(test::thrown<Error>([] {
          prox({1, 2}, {.dimension = 1}, 1);
        }).find("the number of weights that are not 0") != std::string::npos);
}

}  // namespace demotic::oscar_test
