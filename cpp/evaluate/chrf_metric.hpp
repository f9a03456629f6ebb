// chrF2: F-score of character n-grams, recall counting twice (Popovic 2015), as sacrebleu computes
// it by default.
#pragma once

#include "evaluate/metric.hpp"

namespace demotic {

constexpr std::size_t kChrfOrder = 6;

// Columns for n = 1 .. 6: n-grams of the hypothesis, n-grams of the reference, matches; all of the
// reference that gives the sentence its highest score. White space does not count. An order that
// the reference is too short for has no n-grams in the hypothesis either.
class ChrfMetric : public Metric {
 public:
  std::size_t columns() const override { return 3 * kChrfOrder; }
  double score(std::span<const std::int64_t> sums) const override;
  std::unique_ptr<StatisticsCounter> counter(const References& references) const override;
};

}  // namespace demotic
