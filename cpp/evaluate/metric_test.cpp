#include "evaluate/metric.hpp"

#include <cmath>
#include <random>

#include "base/test.hpp"
#include "evaluate/bleu_metric.hpp"
#include "evaluate/chrf_metric.hpp"
#include "evaluate/ter_metric.hpp"

namespace demotic::metric_test {

using Words = std::vector<std::string>;
using Row = std::vector<std::int32_t>;

Row row(const Metric& metric, const std::vector<Words>& references, const Words& hypothesis) {
  return statistics(metric, References(references), hypothesis);
}

double score(const Metric& metric, const Row& counts) {
  return metric.score(std::vector<std::int64_t>(counts.begin(), counts.end()));
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

TEST("character n-grams cross the borders of words") {
  const Row counts = row(ChrfMetric(), {{"ab", "c"}}, {"a", "bc"});
  CHECK((counts == Row{3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  CHECK(score(ChrfMetric(), counts) == 1);
}

TEST("a character counts once, whatever its bytes, and white space does not") {
  CHECK(row(ChrfMetric(), {{"語𝄞"}}, {"語\u00a0"})[0] == 1);
  CHECK(row(ChrfMetric(), {{"語𝄞"}}, {"語\u00a0"})[1] == 2);
  CHECK(row(ChrfMetric(), {{"\xff\xfe"}}, {"\xff"})[2] == 1);  // not UTF-8
}

TEST("matches are clipped, and the best reference counts") {
  const Row counts = row(ChrfMetric(), {{"ab"}, {"aa", "x"}}, {"aaaa"});
  CHECK(counts[0] == 4 && counts[1] == 3 && counts[2] == 2);
}

TEST("BLEU is below a score only if it is, and nearly always if it is") {
  std::mt19937 random(1);
  const BleuMetric metric;
  int below = 0, found = 0;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    std::vector<std::int64_t> sums(metric.columns());
    for (std::size_t n = 0; n < 4; ++n) {
      sums[4 + n] = 1 + static_cast<std::int64_t>(random() % 1000);
      sums[n] = static_cast<std::int64_t>(random() % static_cast<unsigned>(sums[4 + n] + 1));
    }
    sums[8] = 500 + static_cast<std::int64_t>(random() % 500);
    sums[9] = 500 + static_cast<std::int64_t>(random() % 700);
    const double score = metric.score(sums);
    CHECK(!metric.is_below(sums, score));
    CHECK(!metric.is_below(sums, score * 0.999) && !metric.is_below(sums, -1));
    const double other = static_cast<double>(random() % 1000) / 1000;
    if (metric.is_below(sums, other)) CHECK(score < other);
    below += score < 0.9 * other;
    found += score < 0.9 * other && metric.is_below(sums, other);
  }
  CHECK(below > 10000 && 10 * found > 7 * below);
}

TEST("nothing matches nothing") {
  CHECK(score(ChrfMetric(), row(ChrfMetric(), {{}}, {})) == 0);
  CHECK(score(ChrfMetric(), row(ChrfMetric(), {{"a"}}, {"b"})) == 0);
}

TEST("the rows of a sum stand one behind the other, and weights of 0 count for nothing") {
  const auto bleu = std::make_shared<BleuMetric>();
  const auto ter = std::make_shared<TerMetric>();
  const MetricSum sum({{0.25, bleu}, {0.75, ter}}), second({{0.0, bleu}, {1.0, ter}});
  const std::vector<Words> references = {{"a", "b", "c", "d"}};
  const Words hypothesis = {"a", "b", "c", "x"};
  const Row counts = row(sum, references, hypothesis);
  Row expected = row(*bleu, references, hypothesis);
  const Row edits = row(*ter, references, hypothesis);
  expected.insert(expected.end(), edits.begin(), edits.end());
  CHECK(counts == expected && counts.size() == sum.columns());
  CHECK(near(score(*ter, edits), 0.75));
  CHECK(near(score(second, counts), 0.75));
  CHECK(near(score(sum, counts),
             0.25 * score(*bleu, row(*bleu, references, hypothesis)) + 0.75 * 0.75));
}

}  // namespace demotic::metric_test
