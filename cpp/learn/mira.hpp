// The update of MIRA with hope and fear on one list: Chiang, Marton and Resnik (2008), Chiang
// (2012).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/kbest_list.hpp"
#include "learn/learnable_features.hpp"

namespace demotic {

struct MiraOptions {
  double c = 0.01;                // largest sum of step sizes
  std::uint32_t constraints = 1;  // hypotheses that hope is held against; 1: fear alone

  void check() const;  // throws Error
};

struct MiraUpdate {
  // The new weights are  w + sum over hypotheses of coefficient x features  where they may change.
  // Sums to 0.
  std::vector<double> coefficients;
  double loss = 0;                // of fear against hope, before the update; never negative
  std::uint32_t constraints = 0;  // found violated
};

// Hope has the largest score + metric of the list. Minimises  ||w' - w||^2 / 2 + C xi,  where xi is
// the largest violation of
//   w' . (f(hope) - f(y)) >= metric(hope) - metric(y)
// over a set of hypotheses y: cutting planes, the most violated one first (fear: the largest score
// - metric), until none is violated more than those in the set, or the set is full. Of equals the
// first in the list is taken.
MiraUpdate mira_update(const KBestList& list, std::span<const double> scores,
                       std::span<const double> metric, const LearnableFeatures& learnable,
                       const MiraOptions& options);

}  // namespace demotic
