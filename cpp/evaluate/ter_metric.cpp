#include "evaluate/ter_metric.hpp"

#include <algorithm>

namespace demotic {
namespace {

class EditCounter : public StatisticsCounter {
 public:
  explicit EditCounter(const References& references) : edits_(references.sentences()) {}

  void append(const HypothesisWords& words, std::vector<std::int32_t>& out) override {
    const TerStatistics row = edits_(words.ids);
    out.push_back(row.edits);
    out.push_back(row.reference_length);
  }

 private:
  TerCounter edits_;
};

}  // namespace

double TerMetric::score(std::span<const std::int64_t> sums) const {
  return 1 - static_cast<double>(sums[0]) / static_cast<double>(std::max<std::int64_t>(1, sums[1]));
}

std::unique_ptr<StatisticsCounter> TerMetric::counter(const References& references) const {
  return std::make_unique<EditCounter>(references);
}

}  // namespace demotic
