#include "evaluate/metric.hpp"

namespace demotic {
namespace {

class SumCounter : public StatisticsCounter {
 public:
  SumCounter(std::span<const MetricSum::Part> parts, const References& references) {
    for (const auto& part : parts) counters_.push_back(part.second->counter(references));
  }

  void append(const HypothesisWords& words, std::vector<std::int32_t>& out) override {
    for (const auto& counter : counters_) counter->append(words, out);
  }

 private:
  std::vector<std::unique_ptr<StatisticsCounter>> counters_;
};

}  // namespace

std::vector<std::int32_t> statistics(const Metric& metric, const References& references,
                                     const KBestList& list) {
  const std::vector<std::uint32_t> known = references.ids(list.vocabulary);
  std::vector<std::uint32_t> ids;
  std::vector<std::string_view> texts;
  ids.reserve(list.words.size());
  texts.reserve(list.words.size());
  for (const std::uint32_t word : list.words) {
    ids.push_back(known[word]);
    texts.push_back(list.vocabulary[word]);
  }
  std::vector<std::int32_t> rows;
  rows.reserve(list.size() * metric.columns());
  const auto counter = metric.counter(references);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t begin = list.word_begins[i], length = list.word_begins[i + 1] - begin;
    counter->append(
        {std::span(ids).subspan(begin, length), std::span(texts).subspan(begin, length)}, rows);
  }
  return rows;
}

std::vector<std::int32_t> statistics(const Metric& metric, const References& references,
                                     std::span<const std::string> words) {
  const std::vector<std::uint32_t> ids = references.ids(words);
  const std::vector<std::string_view> texts(words.begin(), words.end());
  std::vector<std::int32_t> row;
  metric.counter(references)->append({ids, texts}, row);
  return row;
}

std::size_t MetricSum::columns() const {
  std::size_t columns = 0;
  for (const auto& part : parts_) columns += part.second->columns();
  return columns;
}

double MetricSum::score(std::span<const std::int64_t> sums) const {
  double total = 0;
  for (const auto& [weight, metric] : parts_) {
    if (weight != 0) total += weight * metric->score(sums.first(metric->columns()));
    sums = sums.subspan(metric->columns());
  }
  return total;
}

std::unique_ptr<StatisticsCounter> MetricSum::counter(const References& references) const {
  return std::make_unique<SumCounter>(parts_, references);
}

}  // namespace demotic
