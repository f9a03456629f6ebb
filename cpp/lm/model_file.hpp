// Models on disk, used in place through a memory map: opened in milliseconds, shared between
// processes.
#pragma once

#include <string>

#include "lm/model.hpp"

namespace demotic {

void write_model(const Model& model, const std::string& path);

// Checks the header, the vocabulary and the sizes. Throws Error for a file that is truncated, of
// another version or byte order, or no model at all.
Model map_model(const std::string& path);

}  // namespace demotic
