#include "learn/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/wide.hpp"

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

DEMOTIC_WIDE void add_multiple(std::span<const double> values, double factor,
                               std::span<double> sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i] * factor;
}

// The dimension that a vector is the unit vector of, or its size.
std::size_t axis(std::span<const double> vector) {
  const auto first = std::ranges::find_if(vector, [](double value) { return value != 0; });
  const bool is_unit =
      first != vector.end() && *first == 1 &&
      std::all_of(first + 1, vector.end(), [](double value) { return value == 0; });
  return is_unit ? static_cast<std::size_t>(first - vector.begin()) : vector.size();
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
    : dimensions_(dimensions),
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
  features_.reserve(features.size());
  for (std::size_t sentence = 0; sentence < sentences(); ++sentence)
    for (std::size_t d = 0; d < dimensions; ++d)
      for (auto i = static_cast<std::size_t>(begins[sentence]);
           i < static_cast<std::size_t>(begins[sentence + 1]); ++i)
        features_.push_back(features[i * dimensions + d]);
}

std::span<const double> LineSearch::products(std::size_t sentence, std::span<const double> vector,
                                             std::vector<double>& room) const {
  if (const std::size_t d = axis(vector); d < dimensions_) return column(sentence, d);
  room.assign(size(sentence), 0);
  for (std::size_t d = 0; d < dimensions_; ++d) add_multiple(column(sentence, d), vector[d], room);
  return room;
}

SentenceCurve LineSearch::curve(std::size_t sentence, std::vector<Line>& lines) const {
  const auto begin = static_cast<std::size_t>(begins_[sentence]);
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
    std::vector<double> room, more_room;
    std::vector<Line> lines;
    LineFilter filter;
    const auto intercepts = products(sentence, point, room);
    for (std::size_t d = 0; d < count; ++d) {
      const auto direction = directions.subspan(d * dimensions_, dimensions_);
      filter(products(sentence, direction, more_room), intercepts, lines);
      curves[d][sentence] = curve(sentence, lines);
    }
  });
  std::vector<Optimum> optima(count);
  parallel_for(count, threads, [&](std::size_t d) { optima[d] = sweep(curves[d], metric_); });
  return optima;
}

double LineSearch::score(std::span<const double> point) const {
  if (point.size() != dimensions_) throw Error("the point must have one value per feature");
  std::vector<std::int64_t> sums(columns_);
  std::vector<double> room;
  for (std::size_t sentence = 0; sentence < sentences(); ++sentence) {
    const auto scores = products(sentence, point, room);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
    const auto statistics = statistics_of(static_cast<std::size_t>(begins_[sentence]) + best);
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += statistics[c];
  }
  return metric_.score(sums);
}

}  // namespace demotic
