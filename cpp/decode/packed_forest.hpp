// A hypergraph in few bytes, for whoever has its model at hand: words are ids of the index's
// vocabularies, dense features come from the statistics of extraction, sparse ones from the
// templates, scores from the weights. About 12 bytes an edge where the hypergraph file has 60.
//
//   rules   per block its counts and source sides, per side its symbols and rules, per rule its
//           target side, alignment and statistics (dense features if it has none)
//   graph   a checksum of what it belongs to: sentence, vocabularies, names of dense features; per
//           node its span, label and edges; per edge its rule (when it is first used: with its
//           words unknown to the language model), its tails as distances, and the scores of
//           the language models
//
// Whole numbers are varints (7 bits a byte, low ones first), floats are 32 bits; little-endian.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "decode/hypergraph.hpp"
#include "grammar/feature_set.hpp"

namespace demotic {

std::string pack_forest(const Hypergraph& graph);

// The rules that a packed hypergraph uses. `like` has the vocabularies, feature names and labels of
// the grammar that it was made with; `features` computes the dense features from statistics. Throws
// Error if the bytes contradict themselves; what is unpacked is safe to use whatever they hold.
Grammar unpack_rules(std::string_view packed, const Grammar& like, const FeatureSet& features);

// The hypergraph itself, under any weights. `book` has the sentence, the unpacked rules and their
// sparse features.
Hypergraph unpack_forest(std::string_view packed, std::shared_ptr<const RuleBook> book,
                         std::shared_ptr<const DecodeOptions> options, const FeatureIndex& index,
                         WeightView weights);

}  // namespace demotic
