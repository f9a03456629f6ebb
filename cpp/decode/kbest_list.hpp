// Derivations of one sentence as flat arrays: words, scores, and a sparse matrix of features. What
// every learner eats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decode/derivation.hpp"
#include "decode/hypergraph.hpp"

namespace demotic {

// A feature without an id, under the name that it will have in an index.
struct UnnumberedFeature {
  Fingerprint print;
  std::string name;
};

struct KBestList {
  std::size_t source_words = 0;            // of the source sentence
  std::vector<double> scores;              // weights . features, one per hypothesis
  std::vector<std::uint64_t> word_begins;  // size() + 1
  std::vector<std::uint32_t> words;        // places in vocabulary
  std::vector<std::string> vocabulary;  // every word of the list once, in order of first appearance
  std::vector<std::uint64_t> row_begins;  // size() + 1
  std::vector<std::uint32_t> features;    // ids, or RuleFeature::kLocal + place in unnumbered
  std::vector<double> values;
  std::vector<UnnumberedFeature> unnumbered;
  std::uint64_t index = 0;                 // identity of the index of the ids; 0: there are none
  std::uint64_t forest = 0;                // identity of the forest that `edges` speak of
  std::vector<std::uint64_t> edge_begins;  // size() + 1
  std::vector<std::uint32_t> edges;        // of each derivation, from the top down

  std::size_t size() const { return scores.size(); }

  std::vector<std::string> sentence(std::size_t i) const;  // words of hypothesis i

  // Gives all features ids of `index`, rising in every row. Features that the index does not know
  // are added to it in the order in which they appear here, so call this for one sentence after the
  // other. Throws Error if features have ids of another index.
  void number_features(FeatureIndex& numbers);
};

// The k best derivations (with `unique`: of different strings), and given ones. The list does not
// depend on the graph afterwards.
KBestList list_kbest(const Hypergraph& graph, std::size_t k, bool unique);
KBestList list_derivations(const Hypergraph& graph, const std::vector<Derivation>& derivations);

// A line for each hypothesis of a list whose features have ids: `number ||| words ||| Name=value
// ... ||| score`.
std::string to_text(const KBestList& list, std::size_t number, const FeatureIndex& index);

// A vector over features as forests number them, with ids of the index instead; new features are
// added to it.
std::vector<FeatureValue> numbered(std::span<const FeatureValue> features, const Forest& forest,
                                   FeatureIndex& index);

}  // namespace demotic
