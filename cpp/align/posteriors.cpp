#include "align/posteriors.hpp"

#include <algorithm>

#include "align/options.hpp"

namespace demotic {

float DirectedPosteriors::at(std::size_t own, std::uint16_t given) const {
  for (auto k = starts[own]; k < starts[own + 1]; ++k)
    if (positions[k] == given) return values[k];
  return 0;
}

std::vector<std::uint16_t> DirectedPosteriors::best() const {
  std::vector<std::uint16_t> links(size(), kNoLink);
  for (std::size_t own = 0; own < links.size(); ++own) {
    float best = 0, sum = 0;
    for (auto k = starts[own]; k < starts[own + 1]; ++k) {
      sum += values[k];
      if (values[k] <= best) continue;
      best = values[k];
      links[own] = positions[k];
    }
    if (1 - sum > best) links[own] = kNoLink;
  }
  return links;
}

std::vector<ScoredLink> links_of(const PairPosteriors& posteriors, Heuristic heuristic) {
  const auto& [forward, backward] = posteriors;
  std::vector<ScoredLink> links;
  for (const Link link : symmetrize(forward.best(), backward.best(), heuristic)) {
    const float sum = forward.at(link.target, link.source) + backward.at(link.source, link.target);
    links.push_back({link, std::min(sum / 2, 1.0f)});
  }
  return links;
}

}  // namespace demotic
