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
// however often. -1 for a translation without a match that is as long as the one expanded around.
struct LinearBleu {
  double per_word;
  std::array<double, kBleuOrder> per_match;

  // The first-order expansion of log BLEU around a translation of `words` words with these matches
  // by order, brevity aside: such a translation has the value 0.
  LinearBleu(double words, const std::array<double, kBleuOrder>& matches);
};

// Linear BLEU of every edge of a forest of the references' n-grams. Expanded around a translation
// of their mean length with precisions 0.7, 0.7 x 0.65 and so on, as of about 35 BLEU. (The paper's
// 0.85 and 0.72 are of translations beside each other. Beside references, they favour short ones.)
std::vector<double> linear_bleu_of_edges(const NgramForest& forest, const References& references);

// The best translation, hope and fear: the derivations with the largest score, score + scale x
// linear BLEU and score - scale x linear BLEU, in this order, without repetition (Chiang 2012).
KBestList hope_and_fear(const Hypergraph& graph, const References& references, double scale);

// The `count` different translations of largest expected linear BLEU, best first (Kumar, Macherey,
// Dyer and Och 2009), with the probabilities exp(score / T): an n-gram counts min(1, its expected
// number) matches, and BLEU is expanded around the expected length and numbers of matches. N-grams
// that none of `evidence` has count nothing.
KBestList linear_consensus(const Hypergraph& graph, const References& evidence, double temperature,
                           std::size_t count);

}  // namespace demotic
