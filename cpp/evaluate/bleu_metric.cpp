#include "evaluate/bleu_metric.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "evaluate/match_counter.hpp"

namespace demotic {
namespace {

class BleuCounter : public StatisticsCounter {
 public:
  explicit BleuCounter(const References& references) : matches_(references) {}

  void append(const HypothesisWords& words, std::vector<std::int32_t>& out) override {
    const BleuStatistics row = matches_(words.ids);
    out.insert(out.end(), row.matches.begin(), row.matches.end());
    out.insert(out.end(), row.totals.begin(), row.totals.end());
    out.push_back(row.hypothesis_length);
    out.push_back(row.reference_length);
  }

 private:
  MatchCounter matches_;
};

BleuCounts<std::int64_t> counts_of(std::span<const std::int64_t> sums) {
  BleuCounts<std::int64_t> counts;
  static_assert(sizeof counts == kBleuColumns * sizeof(std::int64_t));
  std::memcpy(static_cast<void*>(&counts), sums.data(), sizeof counts);
  return counts;
}

}  // namespace

double BleuMetric::score(std::span<const std::int64_t> sums) const {
  const BleuCounts<std::int64_t> counts = counts_of(sums);
  if (counts.matches == decltype(counts.matches){}) return 0;
  double logs = 0, smoothed = 1;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    if (counts.totals[n] <= 0) return 0;
    const double matches =
        counts.matches[n] > 0 ? static_cast<double>(counts.matches[n]) : smoothed /= 2;
    logs += std::log(matches / static_cast<double>(counts.totals[n]));
  }
  return brevity_penalty(counts) * std::exp(logs / kBleuOrder);
}

bool BleuMetric::is_below(std::span<const std::int64_t> sums, double score) const {
  static_assert(kBleuOrder == 4);
  constexpr double kRounding = 1e-9;
  const BleuCounts<std::int64_t> counts = counts_of(sums);
  double matches = 1, totals = 1;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    if (counts.matches[n] <= 0 || counts.totals[n] <= 0) return false;  // smoothed: not worth it
    matches *= static_cast<double>(counts.matches[n]);
    totals *= static_cast<double>(counts.totals[n]);
  }
  if (counts.hypothesis_length <= 0 || score <= 0) return false;
  // exp(-x) is at most 1 - x + x^2 / 2.
  const double missing = std::max(0.0, static_cast<double>(counts.reference_length) /
                                               static_cast<double>(counts.hypothesis_length) -
                                           1);
  const double penalty = 1 - missing + missing * missing / 2, ratio = penalty / score;
  return matches * (ratio * ratio) * (ratio * ratio) < totals * (1 - kRounding);
}

std::unique_ptr<StatisticsCounter> BleuMetric::counter(const References& references) const {
  return std::make_unique<BleuCounter>(references);
}

}  // namespace demotic
