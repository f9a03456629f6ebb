#include "learn/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::pairs_test {

using Numbers = std::vector<double>;
using Pairs = std::vector<Pair>;

Pairs pairs(const Numbers& metric, const PairOptions& options, std::uint64_t seed = 0) {
  return make_pairs(metric, {}, {}, options, seed);
}

// From the best to the worst: 3, 0, 4, 1, 2.
const Numbers kMetric = {0.8, 0.3, 0.1, 0.9, 0.5};

TEST("levels: the best against the rest, then the middle against the worst") {
  const PairOptions multipartite{.sampling = PairSampling::kMultipartite, .level = 0.2};
  CHECK((pairs(kMetric, multipartite) ==
         Pairs{{3, 0}, {3, 4}, {3, 1}, {3, 2}, {0, 2}, {4, 2}, {1, 2}}));
  const PairOptions top{.sampling = PairSampling::kTop, .level = 0.4};
  CHECK((pairs(kMetric, top) == Pairs{{3, 4}, {3, 1}, {3, 2}, {0, 4}, {0, 1}, {0, 2}}));
}

TEST("all pairs that the metric tells apart, best against worst within each") {
  const Numbers metric = {0.5, 0.75, 0.5, 0.25};
  CHECK((pairs(metric, {.sampling = PairSampling::kAll}) ==
         Pairs{{1, 0}, {1, 2}, {1, 3}, {0, 3}, {2, 3}}));
  CHECK((pairs(metric, {.sampling = PairSampling::kAll, .threshold = 0.5}) == Pairs{{1, 3}}));
}

TEST("lists of one or of equals have no pairs, lists of two have one") {
  for (const PairSampling sampling :
       {PairSampling::kMultipartite, PairSampling::kAll, PairSampling::kTop, PairSampling::kPro}) {
    CHECK(pairs({0.5}, {.sampling = sampling}).empty() &&
          pairs({}, {.sampling = sampling}).empty());
    CHECK(pairs({0.5, 0.5, 0.5}, {.sampling = sampling}).empty());
    const Pairs found = pairs({0.25, 0.5}, {.sampling = sampling, .samples = 10, .kept = 1});
    CHECK((found == Pairs{{1, 0}}));
  }
}

TEST("PRO keeps the draws that are furthest apart, and a seed gives one draw") {
  const PairOptions options{
      .sampling = PairSampling::kPro, .threshold = 0.15, .samples = 400, .kept = 60};
  const Pairs found = pairs(kMetric, options, 5);
  CHECK(found == pairs(kMetric, options, 5) && found.size() == 60);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = kMetric[found[i].better] - kMetric[found[i].worse];
    CHECK(difference >= 0.15);
    CHECK(i == 0 || difference <= kMetric[found[i - 1].better] - kMetric[found[i - 1].worse]);
  }
  CHECK((found[0] == Pair{3, 2}));
  Pairs all = pairs(
      kMetric, {.sampling = PairSampling::kPro, .threshold = 0.15, .samples = 400, .kept = 400}, 5);
  CHECK(all.size() > 60);
  all.resize(60);
  CHECK(all == found);
}

TEST(
    "reranking takes pairs that the model has the wrong way round, unless word errors say "
    "otherwise") {
  const Numbers metric = {0.2, 0.6, 0.4}, model = {3, 2, 1};
  const PairOptions options{.sampling = PairSampling::kReranking};
  CHECK((make_pairs(metric, model, Numbers{0.5, 0.5, 0.5}, options, 0) == Pairs{{1, 0}, {2, 0}}));
  CHECK((make_pairs(metric, model, Numbers{0.4, 0.5, 0.3}, options, 0) == Pairs{{2, 0}}));
  CHECK(test::thrown<Error>([&] { make_pairs(metric, {}, {}, options, 0); }) != "");
}

TEST("impossible options and metrics are refused") {
  CHECK(test::thrown<Error>([] { pairs(kMetric, {.level = 0.6}); }) != "");
  CHECK(test::thrown<Error>([] { pairs(kMetric, {.threshold = -1}); }) != "");
  CHECK(test::thrown<Error>([] { pairs({0.5, NAN}, {}); }) != "");
  CHECK(test::thrown<Error>([] { pair_sampling("none"); }).find("unknown pair sampling 'none'") !=
        std::string::npos);
}

}  // namespace demotic::pairs_test
