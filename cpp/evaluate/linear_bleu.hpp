// BLEU as a sum over the words and n-grams of a translation: the linear approximation of Tromble,
// Kumar, Och and Macherey (2008). Sums add up over the edges of a hypergraph, so all its
// derivations can be judged, not only those of a list.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "decode/kbest_list.hpp"
#include "evaluate/ngram_forest.hpp"
#include "evaluate/references.hpp"

namespace demotic {

// Of a translation: per_word x words + sum of per_match[n - 1] x its n-grams that a reference has,
// however often. About -1 for no match and 1 for the reference itself.
struct LinearBleu {
  double per_word;
  std::array<double, kBleuOrder> per_match;

  // For sentences of this many words, with the paper's precision 0.85 of single words and ratio
  // 0.72 between the precisions of orders.
  explicit LinearBleu(double words);
};

// Linear BLEU of every edge of a forest of the references' n-grams. Lengths: their mean.
std::vector<double> linear_bleu_of_edges(const NgramForest& forest, const References& references);

// The best translation, hope and fear: the derivations with the largest score, score + scale x
// linear BLEU and score - scale x linear BLEU, in this order, without repetition (Chiang 2012).
KBestList hope_and_fear(const Hypergraph& graph, const References& references, double scale);

// The `count` different translations of largest expected linear BLEU, best first (Kumar, Macherey,
// Dyer and Och 2009), with the probabilities exp(score / T): an n-gram counts min(1, its expected
// number) matches. N-grams that none of `evidence` has count nothing.
KBestList linear_consensus(const Hypergraph& graph, const References& evidence, double temperature,
                           std::size_t count);

}  // namespace demotic
