#include "learn/expected_linear_bleu.hpp"

#include <cmath>

#include "decode/inside_outside.hpp"
#include "evaluate/linear_bleu.hpp"

namespace demotic {
namespace {

// What is left of a sum beside its terms when rounding is all that is left: no gradient.
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
  for (double& slope : sum.slopes) slope = std::abs(slope);
  const auto terms = numbered(combine_edges(forest, sum.slopes), forest, index);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (std::abs(gradient[i].value) <= kRoundedOff * std::abs(terms[i].value)) continue;
    result.gradient.ids.push_back(gradient[i].feature);
    result.gradient.values.push_back(-gradient[i].value);
  }
  return result;
}

}  // namespace demotic
