// Posterior probabilities of the links of one sentence pair, and the links that follow.
#pragma once

#include <cstdint>
#include <vector>

#include "align/symmetrize.hpp"

namespace demotic {

// One direction: each own word and the given words that it may be linked to.
struct DirectedPosteriors {
  std::vector<std::uint32_t> starts{0};  // of each own word
  std::vector<std::uint16_t> positions;
  std::vector<float> values;

  void clear() {
    starts.assign(1, 0);
    positions.clear();
    values.clear();
  }
  std::size_t size() const { return starts.size() - 1; }  // own words
  float at(std::size_t own, std::uint16_t given) const;
  // The most probable position of each own word; kNoLink if no link is more probable.
  std::vector<std::uint16_t> best() const;
};

struct PairPosteriors {
  DirectedPosteriors forward, backward;  // own words: target, source
};

struct ScoredLink {
  Link link;
  float probability;  // mean of both directions
};

std::vector<ScoredLink> links_of(const PairPosteriors& posteriors, Heuristic heuristic);

}  // namespace demotic
