#include "learn/elastic_net.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::elastic_net_test {

// argmin over v of (v - w)^2 / 2 + eta (l1 |v| + l2 / 2 v^2), by ternary search: the function is
// convex.
double by_search(const ElasticNet& net, double w, double eta) {
  const auto value = [&](double v) {
    return (v - w) * (v - w) / 2 + eta * (net.l1 * std::abs(v) + net.l2 / 2 * v * v);
  };
  double low = -std::abs(w), high = std::abs(w);
  for (int i = 0; i < 200; ++i) {
    const double third = (high - low) / 3;
    (value(low + third) < value(high - third) ? high : low) +=
        value(low + third) < value(high - third) ? -third : third;
  }
  return (low + high) / 2;
}

TEST("a step is the minimum that defines it") {
  for (const double w : {0.7, -0.3, 0.01})
    for (const ElasticNet net : {ElasticNet{0.5, 0}, ElasticNet{0, 2}, ElasticNet{0.2, 1}})
      CHECK(std::abs(net.shrunk(w, 0.1, 1) - by_search(net, w, 0.1)) < 1e-7);
}

TEST("n steps at once are n steps, and so is their sum") {
  for (const double w : {0.7, -0.3, 1e-3, 0.0})
    for (const double l1 : {0.0, 1e-9, 1e-3, 0.02, 3.0})
      for (const double l2 : {0.0, 1e-300, 1e-12, 1e-7, 1e-3, 0.5, 40.0})
        for (const std::uint64_t n : {0, 1, 2, 3, 17, 100, 5000}) {
          const ElasticNet net{l1, l2};
          double one_by_one = w, sum = 0, magnitude = 0;
          for (std::uint64_t i = 0; i < n; ++i) {
            one_by_one = net.shrunk(one_by_one, 0.05, 1);
            sum += one_by_one;
            magnitude += std::abs(one_by_one);
          }
          CHECK(std::abs(net.shrunk(w, 0.05, n) - one_by_one) < 1e-12);
          CHECK(std::abs(net.sum_of_shrunk(w, 0.05, n) - sum) <= 1e-11 * (magnitude + std::abs(w)));
        }
}

TEST("what is 0 stays 0, and a weight never changes its sign") {
  CHECK(ElasticNet({1, 1}).shrunk(0, 0.1, 5) == 0);
  CHECK(ElasticNet({1, 0}).shrunk(-0.3, 0.1, 4) == 0);
  CHECK(!std::signbit(ElasticNet({1, 0}).shrunk(-0.3, 0.1, 4)));
  CHECK(ElasticNet({1, 0}).shrunk(-0.3, 0.1, 2) < 0);
}

TEST("impossible strengths are refused") {
  for (const double strength : {-1.0, double(NAN), double(INFINITY)}) {
    CHECK(test::thrown<Error>([&] { ElasticNet{strength, 0}.check(); }) != "");
    CHECK(test::thrown<Error>([&] { ElasticNet{0, strength}.check(); }) != "");
  }
}

}  // namespace demotic::elastic_net_test
