#include "evaluate/linear_bleu.hpp"

#include <algorithm>
#include <cmath>

#include "decode/inside_outside.hpp"
#include "decode/kbest.hpp"

namespace demotic {
namespace {

constexpr double kPrecision = 0.7, kRatio = 0.65;
constexpr double kTieBreak = 1e-9;

double mean_length(const References& references) {
  double words = 0;
  for (const auto& sentence : references.sentences()) words += static_cast<double>(sentence.size());
  return words / static_cast<double>(references.sentences().size());
}

// The derivations of largest score under other scores of edges, as edges of the original.
std::vector<Derivation> best_under(const NgramForest& forest, std::vector<double> scores,
                                   std::size_t count) {
  const Hypergraph graph = forest.graph().with_scores(std::move(scores));
  LazyKBest search(graph, true);
  std::vector<Derivation> best;
  LazyKBest::Found found;
  while (best.size() < count && search.next(found)) {
    for (std::uint32_t& edge : found.edges) edge = forest.sources()[edge];
    best.push_back(found.edges);
  }
  return best;
}

}  // namespace

LinearBleu::LinearBleu(double words, const std::array<double, kBleuOrder>& matches)
    : per_word(-1 / std::max(1.0, words)) {
  for (std::size_t n = 0; n < kBleuOrder; ++n)
    per_match[n] = matches[n] > 0 ? 1 / (static_cast<double>(kBleuOrder) * matches[n]) : 0;
}

std::vector<double> linear_bleu_of_edges(const NgramForest& forest, const References& references) {
  const double words = std::max(1.0, mean_length(references));
  std::array<double, kBleuOrder> matches{};
  for (std::size_t n = 0; n < kBleuOrder; ++n)
    matches[n] = words * kPrecision * std::pow(kRatio, static_cast<double>(n));
  const LinearBleu bleu(words, matches);
  std::vector<double> values(references.ngrams().size(), 0.0);
  for (NgramTrie::Node ngram = 1; ngram < values.size(); ++ngram)
    values[ngram] = bleu.per_match[forest.order(ngram) - 1];
  return forest.sums(values, bleu.per_word);
}

KBestList hope_and_fear(const Hypergraph& graph, const References& references, double scale) {
  const NgramForest forest(graph, references);
  const std::vector<double> gains = linear_bleu_of_edges(forest, references);
  std::vector<Derivation> chosen;
  for (const double sign : {0.0, 1.0, -1.0}) {
    std::vector<double> scores(forest.graph().edge_scores().begin(),
                               forest.graph().edge_scores().end());
    for (std::size_t e = 0; e < scores.size(); ++e) scores[e] += sign * scale * gains[e];
    for (const Derivation& best : best_under(forest, std::move(scores), 1))
      if (std::ranges::find(chosen, best) == chosen.end()) chosen.push_back(best);
  }
  return list_derivations(graph, chosen);
}

KBestList linear_consensus(const Hypergraph& graph, const References& evidence, double temperature,
                           std::size_t count) {
  const NgramForest forest(graph, evidence);
  const std::vector<double> posteriors = edge_posteriors(forest.graph(), temperature);
  const auto& edges = forest.graph().forest().edges;
  std::vector<double> values(evidence.ngrams().size(), 0.0);
  double length = 0;
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    length += posteriors[e] * forest.graph().forest().rules[edges[e].rule].words;
    forest.visit(e, [&](NgramTrie::Node ngram) { values[ngram] += posteriors[e]; });
  }
  std::array<double, kBleuOrder> matches{};
  for (NgramTrie::Node ngram = 1; ngram < values.size(); ++ngram)
    matches[forest.order(ngram) - 1] += values[ngram] * std::min(1.0, values[ngram]);
  const LinearBleu bleu(length, matches);
  for (NgramTrie::Node ngram = 1; ngram < values.size(); ++ngram)
    values[ngram] = std::min(1.0, values[ngram]) * bleu.per_match[forest.order(ngram) - 1];
  std::vector<double> gains = forest.sums(values, bleu.per_word);
  // Of derivations with the same words, the one that the model likes best.
  for (std::size_t e = 0; e < gains.size(); ++e)
    gains[e] += kTieBreak * forest.graph().edge_score(static_cast<std::uint32_t>(e));
  return list_derivations(graph, best_under(forest, std::move(gains), count));
}

}  // namespace demotic
