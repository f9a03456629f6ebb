// 1 - TER of a corpus (Snover et al. 2006); it can be below 0.
#pragma once

#include "evaluate/metric.hpp"
#include "evaluate/ter.hpp"

namespace demotic {

// Columns: those of TerStatistics.
class TerMetric : public Metric {
 public:
  std::size_t columns() const override { return kTerColumns; }
  double score(std::span<const std::int64_t> sums) const override;
  std::unique_ptr<StatisticsCounter> counter(const References& references) const override;
};

}  // namespace demotic
