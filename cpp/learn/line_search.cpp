#include "learn/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace demotic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Crossings that are this close are one: what lies between them is there by rounding only, and no
// point would hit it.
constexpr double kCoincident = 1e-12;

// At `from`, a sentence changes from one row of its statistics to the next.
struct Change {
  double from;
  const std::int32_t* row;  // the new one; the old one stands before it
};

double distance_from_zero(double low, double high) { return low > 0 ? low : high < 0 ? -high : 0; }

double middle(double low, double high) {
  if (low < 0 && high > 0) return 0;  // moving inside an interval changes nothing
  if (low == -kInfinity) return high - 1;
  if (high == kInfinity) return low + 1;
  return low + (high - low) / 2;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

Optimum sweep(std::span<const SentenceCurve> curves, const Metric& metric) {
  const std::size_t columns = metric.columns();
  std::vector<std::int64_t> sums(columns);
  std::vector<Change> changes;
  for (const SentenceCurve& curve : curves) {
    for (std::size_t c = 0; c < columns; ++c) sums[c] += curve.statistics[c];
    for (std::size_t i = 1; i < curve.from.size(); ++i)
      changes.push_back({curve.from[i], curve.statistics.data() + i * columns});
  }
  // Changes at one place are made together, so their order does not matter: the sums are whole
  // numbers.
  std::ranges::sort(changes, {}, &Change::from);
  Optimum best{0, -kInfinity, 0, 0};
  double low = -kInfinity;
  for (std::size_t i = 0; i <= changes.size();) {
    const double high = i < changes.size() ? changes[i].from : kInfinity;
    const double score = metric.score(sums);
    if (score > best.score || (score == best.score && distance_from_zero(low, high) <
                                                          distance_from_zero(best.low, best.high)))
      best = {middle(low, high), score, low, high};
    if (i == changes.size()) break;
    for (low = high;
         i < changes.size() && changes[i].from <= low + kCoincident * (1 + std::abs(low)); ++i)
      for (std::size_t c = 0; c < columns; ++c)
        sums[c] +=
            changes[i].row[c] -
            changes[i].row[static_cast<std::ptrdiff_t>(c) - static_cast<std::ptrdiff_t>(columns)];
  }
  return best;
}

LineSearch::LineSearch(std::span<const double> features, std::size_t dimensions,
                       std::span<const std::int64_t> begins,
                       std::span<const std::int32_t> statistics, const Metric& metric)
    : features_(features),
      dimensions_(dimensions),
      begins_(begins),
      statistics_(statistics),
      metric_(metric),
      columns_(metric.columns()) {
  if (begins.size() < 2) throw Error("there are no sentences to tune on");
  const auto hypotheses = static_cast<std::size_t>(begins.back());
  if (begins.front() != 0 || features.size() != hypotheses * dimensions ||
      statistics.size() != hypotheses * columns_)
    throw Error("features and statistics must have one row per hypothesis");
  for (std::size_t i = 1; i < begins.size(); ++i)
    if (begins[i] <= begins[i - 1])
      throw Error("sentence " + std::to_string(i) + " has no hypothesis");
  if (!std::ranges::all_of(features, [](double value) { return std::isfinite(value); }))
    throw Error("a feature value of a k-best list is not a finite number",
                "look at the grammar and the language model");
}

SentenceCurve LineSearch::curve(std::size_t sentence, std::span<const double> intercepts,
                                std::span<const double> direction) const {
  std::vector<Line> lines;
  const auto begin = static_cast<std::size_t>(begins_[sentence]);
  lines.reserve(intercepts.size());
  for (std::size_t i = 0; i < intercepts.size(); ++i)
    lines.push_back({dot(row(begin + i), direction), intercepts[i], static_cast<std::uint32_t>(i)});
  drop_hidden(lines);
  SentenceCurve result;
  for (const Segment& segment : upper_envelope(lines)) {
    result.from.push_back(segment.from);
    const auto statistics = statistics_of(begin + segment.hypothesis);
    result.statistics.insert(result.statistics.end(), statistics.begin(), statistics.end());
  }
  return result;
}

std::vector<Optimum> LineSearch::search(std::span<const double> point,
                                        std::span<const double> directions,
                                        unsigned threads) const {
  if (point.size() != dimensions_ || directions.size() % dimensions_ != 0)
    throw Error("the point and the direction must have one value per feature");
  const std::size_t count = directions.size() / dimensions_;
  std::vector<std::vector<SentenceCurve>> curves(count, std::vector<SentenceCurve>(sentences()));
  parallel_for(sentences(), threads, [&](std::size_t sentence) {
    std::vector<double> intercepts;
    for (auto i = static_cast<std::size_t>(begins_[sentence]);
         i < static_cast<std::size_t>(begins_[sentence + 1]); ++i)
      intercepts.push_back(dot(row(i), point));
    for (std::size_t d = 0; d < count; ++d)
      curves[d][sentence] =
          curve(sentence, intercepts, directions.subspan(d * dimensions_, dimensions_));
  });
  std::vector<Optimum> optima(count);
  parallel_for(count, threads, [&](std::size_t d) { optima[d] = sweep(curves[d], metric_); });
  return optima;
}

double LineSearch::score(std::span<const double> point) const {
  std::vector<std::int64_t> sums(columns_);
  for (std::size_t sentence = 0; sentence < sentences(); ++sentence) {
    std::size_t best = static_cast<std::size_t>(begins_[sentence]);
    double best_score = dot(row(best), point);
    for (std::size_t i = best + 1; i < static_cast<std::size_t>(begins_[sentence + 1]); ++i)
      if (const double score = dot(row(i), point); score > best_score) {
        best = i;
        best_score = score;
      }
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += statistics_of(best)[c];
  }
  return metric_.score(sums);
}

}  // namespace demotic
