#include "learn/expected_cost.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/softmax.hpp"

namespace demotic {

LossGradient expected_cost(const KBestList& list, std::span<const double> scores,
                           std::span<const double> costs, double temperature) {
  const std::size_t size = list.size();
  if (!(temperature > 0) || !std::isfinite(temperature))
    throw Error("the temperature must be a positive number");
  if (scores.size() != size || costs.size() != size)
    throw Error("an expected cost needs a model score and a cost for each of " +
                std::to_string(size) + " hypotheses");
  LossGradient result;
  if (size == 0) return result;
  std::vector<double> coefficients(size);
  for (std::size_t i = 0; i < size; ++i) coefficients[i] = scores[i] / temperature;
  softmax(coefficients);
  // Costs are taken from that of the likeliest hypothesis on: where it has nearly all of the
  // probability, its distance from the mean is smaller than the rounding of the mean itself.
  const auto likeliest =
      static_cast<std::size_t>(std::ranges::max_element(coefficients) - coefficients.begin());
  const double base = costs[likeliest];
  double mean = 0;
  for (std::size_t i = 0; i < size; ++i) mean += coefficients[i] * (costs[i] - base);
  result.loss = base + mean;
  if (!std::isfinite(result.loss)) return result;
  for (std::size_t i = 0; i < size; ++i) coefficients[i] *= (costs[i] - base - mean) / temperature;
  result.gradient = combine_rows(list, coefficients);
  return result;
}

}  // namespace demotic
