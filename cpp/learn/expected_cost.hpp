// What the translations of a list cost on average, under the model's own probabilities: expected
// BLEU as a loss (Rosti, Zhang, Matsoukas and Schwartz 2011; He and Deng 2012).
#pragma once

#include <span>

#include "decode/kbest_list.hpp"
#include "learn/soft_ramp.hpp"

namespace demotic {

// sum_y p(y) cost(y),  p(y) in proportion to exp(scores(y) / T), and its gradient with respect to
// the weights,  1 / T sum_y p(y) (cost(y) - expected cost) f(y).  `scores` are w . f(y), or 0 where
// the list was drawn from p. Not finite numbers give a loss that is none and no gradient.
LossGradient expected_cost(const KBestList& list, std::span<const double> scores,
                           std::span<const double> costs, double temperature);

}  // namespace demotic
