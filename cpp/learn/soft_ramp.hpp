// The soft ramp loss of Gimpel and Smith (2012) on one list.
#pragma once

#include <span>

#include "decode/kbest_list.hpp"
#include "learn/row_differences.hpp"

namespace demotic {

struct LossGradient {
  double loss = 0;
  SparseVector gradient;
};

// Soft ramp 3, as printed in Flanigan, Dyer and Carbonell (2013), section 6:
//   - log sum_y exp(w . f(y) - cost(y)) + log sum_y exp(w . f(y) + cost(y))
// and its gradient  sum_y (p+(y) - p-(y)) f(y),  where p- and p+ are the distributions of the two
// sums: hope and fear. `scores` are w . f(y). The loss is not below 0 where no cost is. Not finite
// numbers give a loss that is none and no gradient.
LossGradient soft_ramp3(const KBestList& list, std::span<const double> scores,
                        std::span<const double> costs);

}  // namespace demotic
