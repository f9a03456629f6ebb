#include "learn/line_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "learn/line_loops.hpp"

namespace demotic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Crossings that are this close are one: what lies between them is there by rounding only, and no
// point would hit it.
constexpr double kCoincident = 1e-12;

// At `from`, a sentence changes from one row of its statistics to another.
struct Change {
  double from;
  const std::int32_t *before, *after;
};

double distance_from_zero(double low, double high) { return low > 0 ? low : high < 0 ? -high : 0; }

double middle(double low, double high) {
  if (low < 0 && high > 0) return 0;  // moving inside an interval changes nothing
  if (low == -kInfinity) return high - 1;
  if (high == kInfinity) return low + 1;
  return low + (high - low) / 2;
}

// The best interval, where sums of statistics begin and change like this.
Optimum best_interval(std::vector<std::int64_t> sums, std::vector<Change>& changes,
                      const Metric& metric) {
  const std::size_t columns = sums.size();
  // Changes at one place are made together, so their order does not matter: the sums are whole
  // numbers.
  std::ranges::sort(changes, {}, &Change::from);
  Optimum best{0, -kInfinity, 0, 0};
  double low = -kInfinity;
  for (std::size_t i = 0; i <= changes.size();) {
    const double high = i < changes.size() ? changes[i].from : kInfinity;
    if (!metric.is_below(sums, best.score)) {
      const double score = metric.score(sums);
      if (score > best.score ||
          (score == best.score &&
           distance_from_zero(low, high) < distance_from_zero(best.low, best.high)))
        best = {middle(low, high), score, low, high};
    }
    if (i == changes.size()) break;
    for (low = high;
         i < changes.size() && changes[i].from <= low + kCoincident * (1 + std::abs(low)); ++i)
      for (std::size_t c = 0; c < columns; ++c)
        sums[c] += changes[i].after[c] - changes[i].before[c];
  }
  return best;
}

}  // namespace

Optimum sweep(std::span<const SentenceCurve> curves, const Metric& metric) {
  const std::size_t columns = metric.columns();
  std::vector<std::int64_t> sums(columns);
  std::vector<Change> changes;
  for (const SentenceCurve& curve : curves) {
    for (std::size_t c = 0; c < columns; ++c) sums[c] += curve.statistics[c];
    const std::int32_t* row = curve.statistics.data();
    for (std::size_t i = 1; i < curve.from.size(); ++i, row += columns)
      changes.push_back({curve.from[i], row, row + columns});
  }
  return best_interval(std::move(sums), changes, metric);
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
  columns_of_features_.reserve(features.size());
  for (std::size_t s = 0; s < sentences(); ++s)
    for (std::size_t d = 0; d < dimensions; ++d)
      for (std::size_t i = begin_of(s); i < begin_of(s + 1); ++i)
        columns_of_features_.push_back(features[i * dimensions + d]);
}

std::span<const double> LineSearch::dots(std::size_t sentence, std::span<const double> vector,
                                         std::vector<double>& sums) const {
  const auto is_zero = [](double value) { return value == 0; };
  if (const auto first = std::ranges::find_if_not(vector, is_zero);
      first != vector.end() && *first == 1 && std::all_of(first + 1, vector.end(), is_zero))
    return column(sentence, static_cast<std::size_t>(first - vector.begin()));
  // In the order of the features for every hypothesis; a zero adds nothing to a finite number. Four
  // features at a time, so that sums are fetched and stored less often.
  sums.assign(size_of(sentence), 0.0);
  std::array<line_loops::Product, 4> products;
  std::size_t count = 0;
  for (std::size_t d = 0; d < dimensions_; ++d) {
    if (vector[d] == 0) continue;
    products[count++] = {column(sentence, d).data(), vector[d]};
    if (count == products.size()) {
      line_loops::add(sums, products);
      count = 0;
    }
  }
  for (std::size_t i = 0; i < count; ++i) line_loops::add(sums, products[i]);
  return sums;
}

void LineSearch::search(std::size_t sentence, std::span<const double> point,
                        std::span<const double> directions, std::span<Envelope> envelopes) const {
  std::vector<double> heights, sums;
  std::vector<Line> lines;
  const auto intercepts = dots(sentence, point, heights);
  const auto highest =
      static_cast<std::size_t>(std::ranges::max_element(intercepts) - intercepts.begin());
  for (std::size_t d = 0; d < envelopes.size(); ++d) {
    const auto slopes = dots(sentence, directions.subspan(d * dimensions_, dimensions_), sums);
    visible_lines(slopes, intercepts, highest, lines);
    envelopes[d] = upper_envelope(lines);
  }
}

// Envelopes stand sentence by sentence, those along one direction `stride` apart.
Optimum LineSearch::sweep_lists(std::span<const Envelope> envelopes, std::size_t stride) const {
  std::vector<std::int64_t> sums(columns_);
  std::vector<Change> changes;
  for (std::size_t sentence = 0; sentence < sentences(); ++sentence) {
    const Envelope& envelope = envelopes[sentence * stride];
    const std::int32_t* row = statistics_of(begin_of(sentence) + envelope[0].hypothesis);
    for (std::size_t c = 0; c < columns_; ++c) sums[c] += row[c];
    for (const Segment& segment : std::span(envelope).subspan(1)) {
      const std::int32_t* next = statistics_of(begin_of(sentence) + segment.hypothesis);
      changes.push_back({segment.from, row, next});
      row = next;
    }
  }
  return best_interval(std::move(sums), changes, metric_);
}

std::vector<Optimum> LineSearch::search(std::span<const double> point,
                                        std::span<const double> directions,
                                        unsigned threads) const {
  if (point.size() != dimensions_ || directions.size() % dimensions_ != 0)
    throw Error("the point and the direction must have one value per feature");
  const std::size_t count = directions.size() / dimensions_;
  std::vector<Envelope> envelopes(count * sentences());
  parallel_for(sentences(), threads, [&](std::size_t sentence) {
    search(sentence, point, directions, std::span(envelopes).subspan(sentence * count, count));
  });
  std::vector<Optimum> optima(count);
  parallel_for(count, threads, [&](std::size_t d) {
    optima[d] = sweep_lists(std::span(envelopes).subspan(d), count);
  });
  return optima;
}

double LineSearch::score(std::span<const double> point) const {
  if (point.size() != dimensions_) throw Error("a point of the wrong length");
  std::vector<std::int64_t> sums(columns_);
  std::vector<double> heights;
  for (std::size_t sentence = 0; sentence < sentences(); ++sentence) {
    const auto scores = dots(sentence, point, heights);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
    const std::int32_t* const row = statistics_of(begin_of(sentence) + best);
    for (std::size_t c = 0; c < columns_; ++c) sums[c] += row[c];
  }
  return metric_.score(sums);
}

}  // namespace demotic
