// Expected BLEU over all derivations of a hypergraph, not only those of a list.
#pragma once

#include "evaluate/references.hpp"
#include "features/feature_index.hpp"
#include "learn/soft_ramp.hpp"

namespace demotic {

// 1 - expected linear BLEU, derivations weighing exp(score / T), and its gradient with respect to
// the weights of all features of the hypergraph. New features are added to the index.
LossGradient expected_linear_bleu(const Hypergraph& graph, const References& references,
                                  double temperature, FeatureIndex& index);

}  // namespace demotic
