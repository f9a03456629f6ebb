// Weights in files. As text, `name value` a line, sorted by name (cdec's weight files are read
// too); in binary form for millions. Features of templates that weigh nothing are left out; the
// others, whose names have no colon, are always listed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/feature_index.hpp"
#include "features/weights.hpp"

namespace demotic {

// The weights by id; new names are added to the index. Empty lines and those that begin with # are
// skipped. `file` is for errors.
std::vector<double> weights_from_text(std::string_view text, const std::string& file,
                                      FeatureIndex& index);
std::string weights_to_text(const FeatureIndex& index, WeightView weights);

std::vector<double> load_weights(const std::string& path, FeatureIndex& index);
void save_weights(const std::string& path, const FeatureIndex& index, WeightView weights);

}  // namespace demotic
