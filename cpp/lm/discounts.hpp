// The discounts of modified Kneser-Ney smoothing (Chen and Goodman 1998), one set per order.
#pragma once

#include <array>
#include <cstdint>

namespace demotic {

struct Discounts {
  std::array<double, 4> amount{0, 0.5, 1, 1.5};  // for adjusted counts 0, 1, 2, and 3 or more
  bool fallback = true;  // the closed form was undefined, these are the defaults

  double operator()(std::uint64_t count) const { return amount[count < 3 ? count : 3]; }
};

// How many n-grams of an order have an adjusted count of 1, 2, 3 and 4 (index 0 is not used).
using CountsOfCounts = std::array<std::uint64_t, 5>;

// D(k) = k - (k + 1) Y n(k+1) / n(k) with Y = n(1) / (n(1) + 2 n(2)). On small or artificial data
// some n(k) is 0 or a discount comes out negative; then the defaults 0.5, 1 and 1.5 are used for
// the whole order.
inline Discounts closed_form_discounts(const CountsOfCounts& n) {
  if (n[1] == 0 || n[2] == 0 || n[3] == 0) return {};
  const double y = static_cast<double>(n[1]) / static_cast<double>(n[1] + 2 * n[2]);
  Discounts discounts{{0, 0, 0, 0}, false};
  for (unsigned k = 1; k <= 3; ++k) {
    discounts.amount[k] =
        k - (k + 1) * y * static_cast<double>(n[k + 1]) / static_cast<double>(n[k]);
    if (discounts.amount[k] < 0) return {};
  }
  return discounts;
}

}  // namespace demotic
