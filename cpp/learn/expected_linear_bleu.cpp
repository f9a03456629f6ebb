#include "learn/expected_linear_bleu.hpp"

#include <cmath>

#include "decode/inside_outside.hpp"
#include "evaluate/linear_bleu.hpp"

namespace demotic {
namespace {

// What is left of a sum beside its terms when rounding is all that is left.
constexpr double kRoundedOff = 1e-9;

}  // namespace

LossGradient expected_linear_bleu(const Hypergraph& graph, const References& references,
                                  double temperature, FeatureIndex& index) {
  const NgramForest ngrams(graph, references);
  const Forest& forest = ngrams.graph().forest();
  ExpectedSum sum =
      expected_sum(ngrams.graph(), linear_bleu_of_edges(ngrams, references), temperature);
  LossGradient result;
  result.loss = 1 - sum.mean;
  if (!std::isfinite(result.loss)) return result;
  const auto gradient = numbered(combine_edges(forest, sum.slopes), forest, index);
  // What rounding may have made is no gradient: where one derivation has nearly all of the
  // probability, the sign of what is left of its slopes means nothing.
  for (std::size_t e = 0; e < sum.slopes.size(); ++e)
    sum.roundings[e] += kRoundedOff * std::abs(sum.slopes[e]);
  const auto roundings = numbered(combine_edges(forest, sum.roundings), forest, index);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (std::abs(gradient[i].value) <= std::abs(roundings[i].value)) continue;
    result.gradient.ids.push_back(gradient[i].feature);
    result.gradient.values.push_back(-gradient[i].value);
  }
  return result;
}

}  // namespace demotic
