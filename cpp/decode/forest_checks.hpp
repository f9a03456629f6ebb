// What other code relies on in rules and edges that were read from a file. Each function says what
// is wrong, or returns null.
#pragma once

#include "decode/hypergraph.hpp"

namespace demotic {

const char* problem_of(const Grammar& grammar, const RuleBlock& block, const SourceSide& side);
// The side must be sound.
const char* problem_of(const Grammar& grammar, const RuleBlock& block, const SourceSide& side,
                       const Rule& rule);
// An edge of a node that may be the last one so far. Tails come before their heads and cover
// different words of the same span, so derivations are trees of bounded size.
const char* problem_of(const Forest& forest, NodeId node, const HyperEdge& edge);

}  // namespace demotic
