#include "features/name_heads.hpp"

#include <functional>
#include <set>

namespace demotic {

std::vector<std::string> name_heads(const FeatureIndex& index, WeightView weights) {
  std::set<std::string, std::less<>> heads;
  for (FeatureId id = 0; id < index.size(); ++id) {
    if (weights[id] == 0) continue;
    const std::string_view name = index.name(id);
    const std::size_t colon = name.find(':');
    const std::string_view head = name.substr(0, colon == name.npos ? colon : colon + 1);
    if (!heads.contains(head)) heads.emplace(head);
  }
  return {heads.begin(), heads.end()};
}

}  // namespace demotic
