#include "learn/online_grouping.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace demotic {

void TupleRows::check(std::size_t width) const {
  const auto entries = static_cast<std::int64_t>(features.size());
  const bool fits = !begins.empty() && begins.front() == 0 && begins.back() == entries &&
                    values.size() == features.size() && std::ranges::is_sorted(begins);
  if (!fits || std::ranges::any_of(features, [&](std::int32_t id) {
        return id < 0 || static_cast<std::size_t>(id) >= width;
      }))
    throw Error("the arrays of the tuples do not fit together");
}

OnlineGrouping::OnlineGrouping(std::span<double> weights, std::span<const std::uint8_t> is_free,
                               OscarPenalty penalty, double lag)
    : weights_(weights), is_free_(is_free), prox_(penalty), lag_(lag), is_active_(weights.size()) {
  if (weights.size() != is_free.size())
    throw Error("expected one flag per weight that says whether it is free");
  if (!(lag >= 0) || !(lag <= 1)) throw range_error("lag", "from 0 to 1", lag, "0 is exact");
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0 && !is_free[i]) {
      active_.push_back(i);
      is_active_[i] = 1;
    }
}

GroupingCounts OnlineGrouping::learn(const TupleRows& tuples, std::span<const std::int64_t> order,
                                     std::uint64_t t) {
  tuples.check(weights_.size());
  if (t == 0) throw Error("tuples are numbered from 1");
  GroupingCounts counts;
  double owed = 0;
  std::uint64_t waiting = 0;
  const auto pay = [&] {
    shrink(owed);
    ++counts.proximal_steps;
    owed = 0;
    waiting = 0;
  };
  for (const std::int64_t row : order) {
    if (row < 0 || static_cast<std::size_t>(row) >= tuples.size())
      throw Error("the order refers to a tuple that does not exist");
    const double hinge = 1 - margin(tuples, static_cast<std::size_t>(row));
    if (hinge > 0) {
      forward(tuples, static_cast<std::size_t>(row), 1.0 / static_cast<double>(t));
      ++counts.updates;
      counts.loss += hinge;
    }
    owed += 1.0 / static_cast<double>(t + 1);
    if (static_cast<double>(++waiting) >= lag_ * static_cast<double>(t)) pay();
    ++t;
    ++counts.steps;
  }
  if (waiting > 0) pay();
  return counts;
}

double OnlineGrouping::margin(const TupleRows& tuples, std::size_t row) const {
  double sum = 0;
  for (auto i = static_cast<std::size_t>(tuples.begins[row]);
       i < static_cast<std::size_t>(tuples.begins[row + 1]); ++i)
    sum += weights_[static_cast<std::size_t>(tuples.features[i])] *
           static_cast<double>(tuples.values[i]);
  return sum;
}

void OnlineGrouping::forward(const TupleRows& tuples, std::size_t row, double step) {
  for (auto i = static_cast<std::size_t>(tuples.begins[row]);
       i < static_cast<std::size_t>(tuples.begins[row + 1]); ++i) {
    const auto feature = static_cast<std::uint32_t>(tuples.features[i]);
    weights_[feature] += step * static_cast<double>(tuples.values[i]);
    if (is_active_[feature] || is_free_[feature]) continue;
    is_active_[feature] = 1;
    active_.push_back(feature);
  }
}

void OnlineGrouping::shrink(double step) {
  values_.clear();
  for (const std::uint32_t feature : active_) values_.push_back(weights_[feature]);
  prox_(values_, step);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::uint32_t feature = active_[i];
    weights_[feature] = values_[i];
    if (values_[i] != 0)
      active_[kept++] = feature;
    else
      is_active_[feature] = 0;
  }
  active_.resize(kept);
}

}  // namespace demotic
