// Smaller hypergraphs: without the edges that hardly any good derivation uses.
#pragma once

#include <cstddef>
#include <vector>

#include "decode/hypergraph.hpp"

namespace demotic {

// Without edges of a posterior below `threshold`, and without nodes that the goal no longer
// reaches. The best derivation stays in any case.
Hypergraph prune(const Hypergraph& graph, double threshold, double temperature);

// The score of the best derivation that uses each edge.
std::vector<double> max_marginals(const Hypergraph& graph);

// With `edges` edges, those of the best derivations: every edge that stays has its best derivation
// complete. More where equals are at the border. The best derivations of the `strings` best strings
// come first: most good derivations are variants of few strings, and take all edges otherwise.
Hypergraph prune_to(const Hypergraph& graph, std::size_t edges, std::size_t strings = 0);

}  // namespace demotic
