// Minimum Bayes risk: the translation that resembles all probable translations most, instead of the
// most probable one (Kumar and Byrne 2004).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "decode/kbest_list.hpp"
#include "evaluate/sentence_metrics.hpp"

namespace demotic {

// Probabilities of the hypotheses of a list, in proportion to exp(scale x score).
std::vector<double> list_posteriors(const KBestList& list, double scale);

// What each hypothesis of a list gains on average: sum over y' of p(y') BLEU(y; y'), where y'
// stands in for the reference. The time grows with the square of the list.
std::vector<double> expected_gains(const KBestList& list, std::span<const double> posteriors,
                                   const SentenceBleu& metric);

// BLEU of each hypothesis against the expected number of each n-gram and the expected length: a
// gain that is linear in time (DeNero, Chiang and Knight 2009).
std::vector<double> consensus_gains(const KBestList& list, std::span<const double> posteriors,
                                    const SentenceBleu& metric);

enum class MbrKind : std::uint8_t { kList, kConsensus, kForest };
MbrKind mbr_kind(std::string_view name);  // list, consensus, forest; throws Error

struct MbrOptions {
  MbrKind kind;
  double scale;         // of the model's scores
  std::size_t size;     // different translations that are compared, or whose n-grams are (kForest)
  SentenceBleu metric;  // not of kForest, which has linear BLEU
};

// The `count` translations of largest gain, best first; of equals the one that the model likes
// best. Scores are the model's. kForest compares all derivations of the hypergraph, pruned to the
// edges of the best ones: kMbrEdges and those of `size` different translations.
constexpr std::size_t kMbrEdges = 2000;
KBestList minimum_bayes_risk(const Hypergraph& graph, const MbrOptions& options, std::size_t count);

}  // namespace demotic
