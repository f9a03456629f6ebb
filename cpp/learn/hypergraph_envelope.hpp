// The upper envelope of all derivations of a hypergraph along a line: Kumar, Macherey, Dyer and Och (2009).
#pragma once

#include <span>

#include "decode/derivation.hpp"
#include "decode/hypergraph.hpp"
#include "evaluate/references.hpp"
#include "learn/line_search.hpp"

namespace demotic {

// A derivation that is best somewhere on the line.
struct EnvelopePart {
  double from;
  Derivation derivation;
};

// `slopes`: direction . features of every edge. Intercepts are the graph's edge scores, the scores at gamma = 0.
std::vector<EnvelopePart> hypergraph_envelope(const Hypergraph& graph, std::span<const double> slopes);

// The same as statistics of the derivations' words.
SentenceCurve hypergraph_curve(const Hypergraph& graph, std::span<const double> slopes, const References& references);

}  // namespace demotic
