// Differences between hypotheses of a list as one sparse vector: updates and gradients of all
// learners that compare them.
#pragma once

#include <span>
#include <vector>

#include "decode/kbest_list.hpp"
#include "features/feature_index.hpp"

namespace demotic {

struct SparseVector {
  std::vector<FeatureId> ids;  // rising
  std::vector<double> values;  // beside them, never 0
};

// The sum over hypotheses of coefficient x features, where the coefficients sum to 0. A feature is
// left out that has the same value in every hypothesis with a coefficient, or whose terms cancel:
// rounding would give it a value, and the model a weight that means nothing.
SparseVector combine_rows(const KBestList& list, std::span<const double> coefficients);

}  // namespace demotic
