// Weights as one string of bytes: what travels between a driver and its workers.
//
// A 64-bit number of weights, the weights as 64-bit floating-point numbers, their names sorted,
// each ended by a newline. Little-endian, as all files of this project. Ids do not travel: whoever
// unpacks the string gives the features ids in the order of their names.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "features/feature_index.hpp"
#include "features/weights.hpp"

namespace demotic {

struct NamedWeight {
  std::string_view name;
  double weight;
};

// Sorts the weights by name and packs them. Throws Error where a weight is not finite.
std::string pack(std::vector<NamedWeight> weights);
// The weights that are not 0.
std::string pack(const FeatureIndex& index, WeightView weights);

// Calls `body(name, weight)` for each weight in the order of names; throws Error for bytes that
// were not made by `pack`.
template <class Body>
void for_each_weight(std::string_view packed, Body body) {
  const auto damaged = [] {
    return Error("damaged weights",
                 "they were cut off or changed on their way; run the command again");
  };
  std::uint64_t count = 0;
  if (packed.size() < sizeof count) throw damaged();
  std::memcpy(&count, packed.data(), sizeof count);
  if (count > (packed.size() - sizeof count) / (sizeof(double) + 1)) throw damaged();
  std::string_view names = packed.substr(sizeof count + count * sizeof(double));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t end = names.find('\n');
    if (end == std::string_view::npos) throw damaged();
    double weight;
    std::memcpy(&weight, packed.data() + sizeof count + i * sizeof weight, sizeof weight);
    body(names.substr(0, end), weight);
    names.remove_prefix(end + 1);
  }
  if (!names.empty()) throw damaged();
}

// The weights, and those names of `features` that they lack with the weight 0.
std::string activate(std::string_view packed, std::string_view features);

// Adds the names to the index and gives the weights by id.
std::vector<double> unpack(std::string_view packed, FeatureIndex& index);

}  // namespace demotic
