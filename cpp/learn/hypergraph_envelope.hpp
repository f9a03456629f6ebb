// The upper envelope of all derivations of a hypergraph along a line: Kumar, Macherey, Dyer and Och
// (2009).
#pragma once

#include <span>

#include "decode/derivation.hpp"
#include "decode/hypergraph.hpp"
#include "evaluate/metric.hpp"
#include "learn/line_search.hpp"

namespace demotic {

// A derivation that is best somewhere on the line.
struct EnvelopePart {
  double from;
  double slope, intercept;
  Derivation derivation;
};

// `slopes`: direction . features of every edge. Intercepts are the graph's edge scores, the scores
// at gamma = 0.
std::vector<EnvelopePart> hypergraph_envelope(const Hypergraph& graph,
                                              std::span<const double> slopes);

// The same for several hypergraphs of one sentence together, as statistics of the derivations'
// words. Among equals the derivation of the first graph counts. `slopes`: of each graph.
SentenceCurve hypergraph_curve(std::span<const Hypergraph* const> graphs,
                               std::span<const std::span<const double>> slopes,
                               const References& references, const Metric& metric);

}  // namespace demotic
