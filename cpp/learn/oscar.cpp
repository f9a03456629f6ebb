#include "learn/oscar.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace demotic {

void OscarPenalty::check() const {
  for (const double lambda : {lambda1, lambda2})
    if (!(lambda >= 0) || !std::isfinite(lambda))
      throw range_error("an OSCAR strength (lambda1, lambda2)", "at least 0", lambda);
}

OscarProx::OscarProx(OscarPenalty penalty) : penalty_(penalty) { penalty_.check(); }

void OscarProx::operator()(std::span<double> weights, double step) {
  if (!(step >= 0) || !std::isfinite(step))
    throw range_error("the proximal step", "at least 0", step);
  if (weights.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("OSCAR cannot group more than 4 billion weights");
  sorted_.clear();
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i]))
      throw Error("a weight is not a finite number", "try stronger regularisation");
    if (weights[i] != 0) sorted_.push_back({std::abs(weights[i]), i});
  }
  if (sorted_.size() > penalty_.dimension)
    throw range_error("the dimension", "at least the number of weights that are not 0",
                      static_cast<double>(penalty_.dimension));
  std::ranges::sort(sorted_, std::ranges::greater{}, &Magnitude::value);

  // In this order the norm is linear: rank r (from 0) is the maximum of d - 1 - r pairs. Neighbours
  // that would leave the order merge: pool adjacent violators. Equal magnitudes start as one group,
  // so neither their order nor rounding has any influence on it.
  stack_.clear();
  const auto size = static_cast<std::uint32_t>(sorted_.size());
  for (std::uint32_t begin = 0, end = 0; begin < size; begin = end) {
    while (end < size && sorted_[end].value == sorted_[begin].value) ++end;
    const double mean_rank = 0.5 * (static_cast<double>(begin) + static_cast<double>(end - 1));
    const double slope =
        penalty_.lambda1 +
        penalty_.lambda2 * (static_cast<double>(penalty_.dimension - 1) - mean_rank);
    Group group{(end - begin) * (sorted_[begin].value - step * slope), begin, end};
    while (!stack_.empty() && group.value() >= stack_.back().value()) {
      group.sum += stack_.back().sum;
      group.begin = stack_.back().begin;
      stack_.pop_back();
    }
    stack_.push_back(group);
  }
  for (const Group& group : stack_) {
    const double magnitude = std::max(0.0, group.value());
    for (std::uint32_t r = group.begin; r < group.end; ++r) {
      double& weight = weights[sorted_[r].place];
      weight = std::copysign(magnitude, weight);
      if (weight == 0) weight = 0;  // no negative zeros
    }
  }
}

}  // namespace demotic
