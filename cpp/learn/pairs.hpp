// Which translations of a list are compared with which: preference pairs for ranking.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace demotic {

// Hypotheses of one list by number; the metric prefers `better`.
struct Pair {
  std::uint32_t better, worse;
  bool operator==(const Pair&) const = default;
};

// What the pairs of a list did to the weights.
struct UpdateCounts {
  std::uint64_t pairs = 0;
  std::uint64_t errors = 0;   // <w, x> <= 0 for the difference x of the features of a pair
  std::uint64_t updates = 0;  // pairs that moved weights
  double loss = 0;            // summed, before the update; learners without one leave it
};

enum class PairSampling {
  kMultipartite,  // HI against MID and LOW, MID against LOW: Simianer et al. (2012), figure 3
  kAll,           // every two hypotheses
  kTop,           // HI against the rest
  kPro,           // Hopkins and May (2011): random pairs, of which those furthest apart are kept
  kReranking,  // MT Marathon (2011): pairs that the model orders the wrong way round, with no worse
               // word error rate
};

// Throws Error with the known names.
PairSampling pair_sampling(std::string_view name);

struct PairOptions {
  PairSampling sampling = PairSampling::kMultipartite;
  double level = 0.1;    // share of the list in HI and in LOW
  double threshold = 0;  // least difference in the metric; equal ones never form a pair
  std::uint32_t samples = 5000, kept = 50;  // kPro

  void check() const;  // throws Error
};

// The pairs of a list in the order in which a learner takes them: best against worst first.
// Hypotheses with equal metric are ordered as in the list and never form a pair. `model` and `wer`
// (lower is better) are read for kReranking only, `seed` for kPro.
std::vector<Pair> make_pairs(std::span<const double> metric, std::span<const double> model,
                             std::span<const double> wer, const PairOptions& options,
                             std::uint64_t seed);

}  // namespace demotic
