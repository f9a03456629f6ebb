#include "learn/elastic_net.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace demotic {

// With a = 1 / (1 + eta l2) and c = l1 / l2, a step takes |w| + c to a (|w| + c): a geometric
// series until |w| is 0, where it stays. Without l2 it is an arithmetic one.

void ElasticNet::check() const {
  if (!(l1 >= 0) || !std::isfinite(l1)) throw range_error("l1", "at least 0", l1);
  if (!(l2 >= 0) || !std::isfinite(l2)) throw range_error("l2", "at least 0", l2);
}

double ElasticNet::shrunk(double weight, double eta, std::uint64_t n) const {
  if (weight == 0 || n == 0) return weight;
  const double loss = eta * l1, decay = eta * l2, steps = static_cast<double>(n);
  double size = std::abs(weight);
  if (n == 1) {
    size = (size - loss) / (1 + decay);
  } else if (decay == 0) {
    size -= steps * loss;
  } else {
    const double exponent = -steps * std::log1p(decay);  // of a^n
    size = size * std::exp(exponent) + loss * (std::expm1(exponent) / decay);
  }
  return size > 0 ? std::copysign(size, weight) : 0;
}

double ElasticNet::sum_of_shrunk(double weight, double eta, std::uint64_t n) const {
  if (weight == 0 || n == 0) return 0;
  const double loss = eta * l1, decay = eta * l2, size = std::abs(weight);
  double steps = static_cast<double>(n);  // before the weight is 0
  if (loss > 0) {
    const double until_zero =
        decay > 0 ? std::log1p(size * (decay / loss)) / std::log1p(decay) : size / loss;
    steps = std::min(steps, std::floor(until_zero));
  }
  const double triangle = steps * (steps + 1) / 2;
  if (decay == 0) return std::copysign(steps * size - loss * triangle, weight);
  const double geometric = -std::expm1(-steps * std::log1p(decay)) / decay;  // a + ... + a^steps
  // (geometric - steps) / decay; by its series where the difference would have no digits left.
  const double rest =
      steps * decay < 1e-4
          ? -triangle * (1 - decay * (steps + 2) / 3 * (1 - decay * (steps + 3) / 4))
          : (geometric - steps) / decay;
  return std::copysign(size * geometric + loss * rest, weight);
}

}  // namespace demotic
