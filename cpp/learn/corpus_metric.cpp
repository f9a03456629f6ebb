#include "learn/corpus_metric.hpp"

#include <cmath>

#include "evaluate/sentence_metrics.hpp"

namespace demotic {

std::size_t CorpusMetric::columns() const { return kBleuColumns + (ter != 0 ? 2 : 0); }

double CorpusMetric::operator()(std::span<const std::int64_t> sums) const {
  double score = bleu != 0 ? bleu * corpus_bleu(sums) : 0;
  if (ter != 0) score += ter * (1 - static_cast<double>(sums[kBleuColumns]) / static_cast<double>(std::max<std::int64_t>(1, sums[kBleuColumns + 1])));
  return score;
}

double corpus_bleu(std::span<const std::int64_t> sums) {
  double logs = 0, smoothed = 1;
  bool found = false;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    const double total = static_cast<double>(sums[kBleuOrder + n]);
    double matches = static_cast<double>(sums[n]);
    if (total <= 0) return 0;
    found = found || matches > 0;
    if (matches <= 0) matches = smoothed /= 2;
    logs += std::log(matches / total);
  }
  if (!found) return 0;
  return brevity_penalty(static_cast<double>(sums[2 * kBleuOrder]), static_cast<double>(sums[2 * kBleuOrder + 1])) * std::exp(logs / kBleuOrder);
}

}  // namespace demotic
