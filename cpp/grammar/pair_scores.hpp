// How well the rest of the corpus explains each sentence pair, word by word.
#pragma once

#include <vector>

#include "grammar/index.hpp"

namespace demotic {

// Mean log10 probability of a word given the other side, by IBM model 1 (Brown et al. 1993) with
// the relative frequencies of the word alignment: p(e | f) = c(f, e) / c(f), where the links of the
// pair itself are not counted. Words that no other pair has say nothing and are passed over.
// 0 for pairs that were left out of the index.
struct PairScore {
  float target_given_source = 0, source_given_target = 0;
};

// The probability of a word that nothing on the other side explains, and of pairs without any word
// that another pair has.
constexpr double kUnexplained = 1e-6;

std::vector<PairScore> score_pairs(const GrammarIndex& index, unsigned threads);

}  // namespace demotic
