// A metric of a corpus: statistics of hypotheses that add up over sentences, and the score of their
// sums.
//
// Whatever derives from Metric can be tuned on: line search and hypergraph envelopes know nothing
// else of a metric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluate/references.hpp"

namespace demotic {

// The words of a hypothesis: numbered as in the references (kUnknown if none has them), and as
// text.
struct HypothesisWords {
  std::span<const std::uint32_t> ids;
  std::span<const std::string_view> texts;
};

// Counts hypotheses of one sentence, one after the other; the references that it was made for must
// outlive it.
class StatisticsCounter {
 public:
  virtual ~StatisticsCounter() = default;
  // Appends a row of Metric::columns() numbers.
  virtual void append(const HypothesisWords& words, std::vector<std::int32_t>& out) = 0;
};

class Metric {
 public:
  virtual ~Metric() = default;
  virtual std::size_t columns() const = 0;
  // Of columns() sums. Higher is better, and 1 is the best.
  virtual double score(std::span<const std::int64_t> sums) const = 0;
  // True only if score(sums) < score: a cheap answer for those who look for the best of many. A
  // metric that has none says false.
  virtual bool is_below(std::span<const std::int64_t> /*sums*/, double /*score*/) const {
    return false;
  }
  virtual std::unique_ptr<StatisticsCounter> counter(const References& references) const = 0;
};

// A row for each hypothesis of a list, and the row of one sentence.
std::vector<std::int32_t> statistics(const Metric& metric, const References& references,
                                     const KBestList& list);
std::vector<std::int32_t> statistics(const Metric& metric, const References& references,
                                     std::span<const std::string> words);

// A weighted sum of scores; the columns of the metrics stand one behind the other. A metric of
// weight 0 has columns, but no influence.
class MetricSum : public Metric {
 public:
  using Part = std::pair<double, std::shared_ptr<const Metric>>;
  explicit MetricSum(std::vector<Part> parts) : parts_(std::move(parts)) {}

  std::size_t columns() const override;
  double score(std::span<const std::int64_t> sums) const override;
  std::unique_ptr<StatisticsCounter> counter(const References& references) const override;

 private:
  std::vector<Part> parts_;
};

}  // namespace demotic
