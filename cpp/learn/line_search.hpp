// Exact line search on a corpus-level metric: Och (2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/metric.hpp"
#include "learn/envelope.hpp"

namespace demotic {

// The statistics of the best hypothesis of one sentence along a line: row i from `from[i]` on.
struct SentenceCurve {
  std::vector<double> from;
  std::vector<std::int32_t> statistics;  // rows
};

struct Optimum {
  double gamma =
      0;  // the middle of the best interval; 0 if no interval is better than the one around 0
  double score = 0;          // of the metric there
  double low = 0, high = 0;  // the interval; infinite at the ends
};

// The best interval of the sum of all curves. Among equally good ones, that around 0, then the one
// nearest to 0. In an interval without an end, gamma is one unit beyond its other end.
Optimum sweep(std::span<const SentenceCurve> curves, const Metric& metric);

// Lists of hypotheses with dense features, for many searches. The statistics and the metric belong
// to the caller and must outlive it.
class LineSearch {
 public:
  // `features`: hypotheses x dimensions; `begins`: where the hypotheses of each sentence begin, and
  // the end; `statistics`: hypotheses x metric.columns().
  LineSearch(std::span<const double> features, std::size_t dimensions,
             std::span<const std::int64_t> begins, std::span<const std::int32_t> statistics,
             const Metric& metric);

  // The optimum along each of several directions (rows), all from the same point.
  std::vector<Optimum> search(std::span<const double> point, std::span<const double> directions,
                              unsigned threads) const;
  // The metric of the hypotheses that these weights prefer; of equals, the first.
  double score(std::span<const double> point) const;

 private:
  // The envelope of a sentence along each direction.
  using Envelope = std::vector<Segment>;
  void search(std::size_t sentence, std::span<const double> point,
              std::span<const double> directions, std::span<Envelope> envelopes) const;
  Optimum sweep_lists(std::span<const Envelope> envelopes, std::size_t stride) const;
  // Vector . features of every hypothesis of a sentence: in `sums`, or where an axis has them.
  std::span<const double> dots(std::size_t sentence, std::span<const double> vector,
                               std::vector<double>& sums) const;

  std::span<const double> column(std::size_t sentence, std::size_t dimension) const {
    return std::span(columns_of_features_)
        .subspan(begin_of(sentence) * dimensions_ + dimension * size_of(sentence),
                 size_of(sentence));
  }
  const std::int32_t* statistics_of(std::size_t hypothesis) const {
    return statistics_.data() + hypothesis * columns_;
  }
  std::size_t begin_of(std::size_t sentence) const {
    return static_cast<std::size_t>(begins_[sentence]);
  }
  std::size_t size_of(std::size_t sentence) const {
    return begin_of(sentence + 1) - begin_of(sentence);
  }
  std::size_t sentences() const { return begins_.size() - 1; }

  // Sentence by sentence, in each feature by feature: sums over features go on in many hypotheses
  // at once.
  std::vector<double> columns_of_features_;
  std::size_t dimensions_;
  std::span<const std::int64_t> begins_;
  std::span<const std::int32_t> statistics_;
  const Metric& metric_;
  std::size_t columns_;
};

}  // namespace demotic
