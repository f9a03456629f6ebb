// Derivations of one sentence as flat arrays: words, scores, and a sparse matrix of features. What every learner eats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decode/derivation.hpp"
#include "decode/hypergraph.hpp"

namespace demotic {

struct KBestList {
  std::vector<double> scores;               // weights . features, one per hypothesis
  std::vector<std::uint64_t> word_begins;   // size() + 1
  std::vector<std::uint32_t> words;         // places in vocabulary
  std::vector<std::string> vocabulary;      // every word of the list once, in order of first appearance
  std::vector<std::uint64_t> row_begins;    // size() + 1
  std::vector<std::uint32_t> features;      // per row rising
  std::vector<double> values;
  std::vector<std::uint64_t> edge_begins;   // size() + 1
  std::vector<std::uint32_t> edges;         // of each derivation, from the top down

  std::size_t size() const { return scores.size(); }
};

// The k best derivations (with `unique`: of different strings), and given ones. Features are named as forests name them.
KBestList list_kbest(const Hypergraph& graph, std::size_t k, bool unique);
KBestList list_derivations(const Hypergraph& graph, const std::vector<Derivation>& derivations);

// Gives features their ids in `index`. Features that the index does not know yet are added to it in the order in which they
// appear here, so call this for one sentence after the other.
void number_features(KBestList& list, const Forest& forest, FeatureIndex& index);
// The same for one vector.
void number_features(std::vector<FeatureValue>& features, const Forest& forest, FeatureIndex& index);

}  // namespace demotic
