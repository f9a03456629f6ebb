#include "learn/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::line_search_test {

// The share of right ones among all, of sentences that say how many are right and how many there
// are.
class Share : public Metric {
 public:
  std::size_t columns() const override { return 2; }
  double score(std::span<const std::int64_t> sums) const override {
    return static_cast<double>(sums[0]) / static_cast<double>(sums[1]);
  }
  std::unique_ptr<StatisticsCounter> counter(const References&) const override { return nullptr; }
};

constexpr std::size_t kDimensions = 3;

// Lists of random length with random features and counts.
struct Lists {
  explicit Lists(unsigned seed, int sentences = 12) : random(seed) {
    begins = {0};
    for (int i = 0; i < sentences; ++i)
      begins.push_back(begins.back() + 1 + static_cast<std::int64_t>(random() % 12));
    for (std::int64_t i = 0; i < begins.back(); ++i) {
      for (std::size_t d = 0; d < kDimensions; ++d) features.push_back(number());
      statistics.push_back(static_cast<std::int32_t>(random() % 5));
      statistics.push_back(static_cast<std::int32_t>(4 + random() % 3));
    }
  }
  double number() { return static_cast<double>(random() % 20001) / 10000 - 1; }
  std::vector<double> vector(std::size_t size) {
    std::vector<double> result(size);
    for (double& value : result) value = number();
    return result;
  }
  LineSearch search(const Metric& metric) const {
    return {features, kDimensions, begins, statistics, metric};
  }

  std::mt19937 random;
  std::vector<std::int64_t> begins;
  std::vector<double> features;
  std::vector<std::int32_t> statistics;
};

// The best of the hypotheses of each list at a point, straight from the definition.
double brute_score(const Lists& lists, const std::vector<double>& point) {
  std::int64_t right = 0, all = 0;
  for (std::size_t s = 0; s + 1 < lists.begins.size(); ++s) {
    std::size_t best = 0;
    double highest = -INFINITY;
    for (auto i = static_cast<std::size_t>(lists.begins[s]);
         i < static_cast<std::size_t>(lists.begins[s + 1]); ++i) {
      double score = 0;
      for (std::size_t d = 0; d < kDimensions; ++d)
        score += point[d] * lists.features[i * kDimensions + d];
      if (score > highest) {
        highest = score;
        best = i;
      }
    }
    right += lists.statistics[2 * best];
    all += lists.statistics[2 * best + 1];
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

std::vector<double> along(const std::vector<double>& point, const std::vector<double>& direction,
                          double gamma) {
  std::vector<double> result = point;
  for (std::size_t d = 0; d < kDimensions; ++d) result[d] += gamma * direction[d];
  return result;
}

TEST("the score of a point is that of the hypotheses it prefers") {
  const Share metric;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Lists lists(seed);
    const auto point = lists.vector(kDimensions);
    CHECK(lists.search(metric).score(point) == brute_score(lists, point));
  }
}

TEST("no point of a fine grid along the line is better than the optimum") {
  const Share metric;
  int moved = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Lists lists(seed);
    const auto point = lists.vector(kDimensions), direction = lists.vector(kDimensions);
    const Optimum found = lists.search(metric).search(point, direction, 1)[0];
    CHECK(found.score == brute_score(lists, along(point, direction, found.gamma)));
    CHECK(found.low < found.high && found.low <= found.gamma && found.gamma <= found.high);
    moved += found.gamma != 0;
    for (int i = -2000; i <= 2000; ++i)
      CHECK(brute_score(lists, along(point, direction, 0.01 * i)) <= found.score);
    // Inside the interval the score is the same.
    const double low = std::max(found.low, found.gamma - 1),
                 high = std::min(found.high, found.gamma + 1);
    for (const double share : {0.01, 0.3, 0.7, 0.99})
      CHECK(brute_score(lists, along(point, direction, low + share * (high - low))) == found.score);
  }
  CHECK(moved > 10);
}

TEST("four threads find the optima that one finds") {
  const Share metric;
  Lists lists(99, 200);
  const auto point = lists.vector(kDimensions), directions = lists.vector(8 * kDimensions);
  const LineSearch search = lists.search(metric);
  const auto expected = search.search(point, directions, 1),
             found = search.search(point, directions, 4);
  CHECK(expected.size() == 8 && found.size() == 8);
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i].gamma == expected[i].gamma && found[i].score == expected[i].score &&
          found[i].low == expected[i].low && found[i].high == expected[i].high);
}

TEST("among equally good intervals the one around 0 is taken, and the point stays") {
  const Share metric;
  const std::vector<SentenceCurve> curves = {{{-INFINITY, -2, 2}, {1, 2, 1, 2, 1, 2}},
                                             {{-INFINITY, 3}, {1, 2, 1, 2}}};
  const Optimum found = sweep(curves, metric);
  CHECK(found.gamma == 0 && found.score == 0.5 && found.low == -2 && found.high == 2);
}

TEST("an interval without an end is entered by one unit") {
  const Share metric;
  const std::vector<SentenceCurve> up = {{{-INFINITY, 2}, {0, 2, 1, 2}}},
                                   down = {{{-INFINITY, -3}, {1, 2, 0, 2}}};
  CHECK(sweep(up, metric).gamma == 3 && sweep(up, metric).high == INFINITY);
  CHECK(sweep(down, metric).gamma == -4 && sweep(down, metric).low == -INFINITY);
}

TEST("lists that contradict themselves are refused") {
  const Share metric;
  Lists lists(1);
  lists.features[0] = NAN;
  CHECK(test::thrown<Error>([&] { lists.search(metric); }).find("not a finite number") !=
        std::string::npos);
  lists.features[0] = 0;
  lists.begins[1] = 0;
  CHECK(test::thrown<Error>([&] { lists.search(metric); }) == "sentence 1 has no hypothesis");
}

}  // namespace demotic::line_search_test
