#include "learn/corpus_metric.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "evaluate/sentence_metrics.hpp"
#include "evaluate/ter.hpp"

namespace demotic {

std::size_t CorpusMetric::columns() const { return kBleuColumns + (ter != 0 ? kTerColumns : 0); }

double CorpusMetric::operator()(std::span<const std::int64_t> sums) const {
  double score = bleu != 0 ? bleu * corpus_bleu(sums) : 0;
  if (ter != 0) score += ter * (1 - static_cast<double>(sums[kBleuColumns]) / static_cast<double>(std::max<std::int64_t>(1, sums[kBleuColumns + 1])));
  return score;
}

double corpus_bleu(std::span<const std::int64_t> sums) {
  BleuCounts<std::int64_t> counts;
  static_assert(sizeof counts == kBleuColumns * sizeof(std::int64_t));
  std::memcpy(&counts, sums.data(), sizeof counts);
  if (counts.matches == decltype(counts.matches){}) return 0;
  double logs = 0, smoothed = 1;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    if (counts.totals[n] <= 0) return 0;
    const double matches = counts.matches[n] > 0 ? static_cast<double>(counts.matches[n]) : smoothed /= 2;
    logs += std::log(matches / static_cast<double>(counts.totals[n]));
  }
  return brevity_penalty(counts) * std::exp(logs / kBleuOrder);
}

}  // namespace demotic
