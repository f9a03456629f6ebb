// BLEU of a corpus (Papineni et al. 2002).
#pragma once

#include "evaluate/metric.hpp"
#include "evaluate/sentence_metrics.hpp"

namespace demotic {

// Columns: those of BleuStatistics.
class BleuMetric : public Metric {
 public:
  std::size_t columns() const override { return kBleuColumns; }
  // As sacrebleu: the k-th order without a match counts 1 / 2^k matches.
  double score(std::span<const std::int64_t> sums) const override;
  // By the product of the precisions, without logarithms.
  bool is_below(std::span<const std::int64_t> sums, double score) const override;
  std::unique_ptr<StatisticsCounter> counter(const References& references) const override;
};

}  // namespace demotic
