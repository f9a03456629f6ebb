// Probabilities from scores.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace demotic {

// Logs of unnormalised probabilities, at least one, become probabilities; returns the log of their
// sum.
inline double softmax(std::vector<double>& logs) {
  const double largest = std::ranges::max(logs);
  double sum = 0;
  for (double& value : logs) sum += value = std::exp(value - largest);
  for (double& value : logs) value /= sum;
  return largest + std::log(sum);
}

}  // namespace demotic
