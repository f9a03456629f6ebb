// Which features weights speak of, in short.
#pragma once

#include <string>
#include <vector>

#include "features/feature_index.hpp"
#include "features/weights.hpp"

namespace demotic {

// The names of dense features that weigh something, and `template:` once for each template of which
// some feature does; sorted.
std::vector<std::string> name_heads(const FeatureIndex& index, WeightView weights);

}  // namespace demotic
