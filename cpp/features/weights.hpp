// Weights by feature id, wherever they lie: in a vector, a numpy array, a mapped file.
#pragma once

#include <cstdint>
#include <span>

namespace demotic {

struct WeightView {
  std::span<const double> values;
  // Features beyond the end weigh nothing.
  double operator[](std::uint32_t id) const { return id < values.size() ? values[id] : 0.0; }
};

}  // namespace demotic
