// The derivation of a hypergraph whose words have the best sentence BLEU.
//
// BLEU does not add up over the parts of a derivation, but from the words of a part only this
// matters for what it can become: its length, its first and last three words, and which n-grams of
// the references it has, as often as they count. Nodes list their partial translations by such
// states, the better ones first (by cube pruning: Chiang 2007), and keep the best `beam` of them.
#pragma once

#include <cstddef>

#include "decode/derivation.hpp"
#include "evaluate/references.hpp"
#include "evaluate/sentence_metrics.hpp"

namespace demotic {

// Of derivations with the same score, the one that the model likes best. `beam` 0: keep all states,
// which is exact.
Derivation oracle(const Hypergraph& graph, const References& references, const SentenceBleu& metric,
                  std::size_t beam);

}  // namespace demotic
