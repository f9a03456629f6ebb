// Hypergraphs on disk, with everything that they need: the rules that they use, with features by
// name, words and alignments. What is loaded answers every question exactly as the original did.
#pragma once

#include <string>

#include "decode/hypergraph.hpp"
#include "features/feature_index.hpp"

namespace demotic {

// `index` must be the one that the hypergraph was made with.
void save_hypergraph(const std::string& path, const Hypergraph& graph, const FeatureIndex& index);

// Adds the names of its sparse features to the index. Throws Error for a file that is truncated,
// contradicts itself or is no hypergraph.
Hypergraph load_hypergraph(const std::string& path, FeatureIndex& index);

}  // namespace demotic
