// Sums over all derivations of a hypergraph, each weighing exp(score / T).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/derivation.hpp"
#include "decode/hypergraph.hpp"

namespace demotic {

// Log of the sum over the derivations of each node. The last one is the log partition function.
std::vector<double> inside(const Hypergraph& graph, double temperature);

// Probability of each edge: the share of the derivations, by weight, that use it.
std::vector<double> edge_posteriors(const Hypergraph& graph, double temperature);

// The sum over edges of coefficient x features, each feature once, by rising number.
std::vector<FeatureValue> combine_edges(const Forest& forest, std::span<const double> coefficients);

// A sum of values of edges over a derivation: what it is on average, and by how much that rises
// with the score of each edge,  1 / T p(e) (mean over the derivations with e - mean over all).
// First-order expectations: Li and Eisner (2009). A slope that is nothing but rounding is 0.
struct ExpectedSum {
  double mean;
  std::vector<double> slopes, roundings;  // by edge; roundings: what a slope may be off by
};
ExpectedSum expected_sum(const Hypergraph& graph, std::span<const double> values,
                         double temperature);

// Expectation of every feature: the gradient of T times the log partition function with respect to
// the weights.
std::vector<FeatureValue> expected_features(const Hypergraph& graph, double temperature);

// `count` derivations, drawn independently in proportion to exp(score / T). The same seed gives the
// same sample.
std::vector<Derivation> sample(const Hypergraph& graph, std::size_t count, double temperature,
                               std::uint64_t seed);

}  // namespace demotic
