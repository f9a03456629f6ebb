// The proximal operator of the elastic net, many times in a row at the price of once: what a weight
// is after steps that nobody took while nobody looked at it (Duchi and Singer 2009, section 5).
#pragma once

#include <cstdint>

namespace demotic {

// r(w) = l1 |w| + l2 / 2 w^2. A proximal step of size eta takes w to
//   argmin_v  (v - w)^2 / 2 + eta r(v)  =  sign(w) (|w| - eta l1)+ / (1 + eta l2).
struct ElasticNet {
  double l1 = 0, l2 = 0;

  bool is_off() const { return l1 == 0 && l2 == 0; }
  void check() const;  // throws Error

  // The weight after n steps of the same size.
  double shrunk(double weight, double eta, std::uint64_t n) const;
  // The sum of what it is after 1, 2, ..., n of them.
  double sum_of_shrunk(double weight, double eta, std::uint64_t n) const;
};

}  // namespace demotic
