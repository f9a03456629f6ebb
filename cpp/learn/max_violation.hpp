// The max-violation perceptron with forced decoding: Yu, Huang, Mi and Zhao (2013), for spans as in
// Zhao, Huang, Mi and Ittycheriah (2014).
#pragma once

#include <string>
#include <vector>

#include "decode/kbest_list.hpp"

namespace demotic {

// What the weights are to be moved by. `pair` has the forced derivation of a node and the best
// derivation of its span and label, in this order; no rows: no violation.
struct MaxViolation {
  bool is_reachable = false;  // a derivation of the hypergraph has the words of the reference
  double violation = 0;       // by how much the score of the best one is higher
  KBestList pair;
};

// The best derivation that yields the reference, and the node of it where it falls behind the best
// derivation of the same span and label most. Exact for the derivations of the hypergraph.
MaxViolation max_violation(const Hypergraph& graph, const std::vector<std::string>& reference);

// The same with a target from outside the hypergraph.
struct ForcedViolation {
  double violation = 0;
  KBestList forced, best;  // one derivation each, of a span and label; none: no violation
};

// The best derivation of `forced`, the derivations that yield the reference, against those of
// `graph`, which may lack it. Spans and labels that `graph` has not are left out.
ForcedViolation max_violation(const Hypergraph& graph, const Hypergraph& forced);

}  // namespace demotic
