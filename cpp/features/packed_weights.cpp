#include "features/packed_weights.hpp"

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"

namespace demotic {

std::string pack(std::vector<NamedWeight> weights) {
  std::ranges::sort(weights, {}, &NamedWeight::name);
  const std::uint64_t count = weights.size();
  std::size_t bytes = sizeof count + weights.size() * (sizeof(double) + 1);
  for (const NamedWeight& entry : weights) bytes += entry.name.size();
  std::string packed(sizeof count + weights.size() * sizeof(double), '\0');
  packed.reserve(bytes);
  std::memcpy(packed.data(), &count, sizeof count);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i].weight))
      throw Error("the weight of '" + std::string(weights[i].name) + "' is not a finite number",
                  "the learning rate may be too high");
    std::memcpy(packed.data() + sizeof count + i * sizeof(double), &weights[i].weight,
                sizeof(double));
    packed.append(weights[i].name).append(1, '\n');
  }
  return packed;
}

std::string pack(const FeatureIndex& index, WeightView weights) {
  std::vector<NamedWeight> listed;
  for (FeatureId id = 0; id < index.size(); ++id)
    if (weights[id] != 0) listed.push_back({index.name(id), weights[id]});
  return pack(std::move(listed));
}

std::string activate(std::string_view packed, std::string_view features) {
  std::vector<NamedWeight> known, result;
  for_each_weight(packed,
                  [&](std::string_view name, double weight) { known.push_back({name, weight}); });
  auto next = known.begin();  // both are sorted by name
  for_each_weight(features, [&](std::string_view name, double) {
    while (next != known.end() && next->name < name) result.push_back(*next++);
    if (next == known.end() || next->name != name) result.push_back({name, 0});
  });
  result.insert(result.end(), next, known.end());
  return pack(std::move(result));
}

std::vector<double> unpack(std::string_view packed, FeatureIndex& index) {
  std::vector<double> values(index.size());
  for_each_weight(packed, [&](std::string_view name, double weight) {
    if (!std::isfinite(weight) || !is_utf8(name))
      throw Error("not packed weights", "expected the bytes of `Weights.pack`");
    const FeatureId id = index.intern(name);
    if (id >= values.size()) values.resize(index.size());
    values[id] = weight;
  });
  return values;
}

}  // namespace demotic
