// Parameters of one direction: what the samples say on average.
#pragma once

#include <cstdint>
#include <vector>

#include "align/candidates.hpp"
#include "align/options.hpp"
#include "align/sampled_counts.hpp"

namespace demotic {

// One more word than the vocabulary has: the last stands for all others.
struct DirectionParameters {
  std::vector<float> words;      // p(own word | given word) of each word pair
  std::vector<float> unseen;     // of each given word: the same for pairs that were never linked
  std::vector<float> null;       // of each own word: weight of NULL against the other choices
  std::vector<float> jumps;      // kJumps probabilities
  std::vector<float> fertility;  // p(n + 1) / p(n), kFertilities per given word

  // `given_of[pair]`: the given word of each word pair.
  DirectionParameters(const SampledCounts& counts, const std::vector<WordId>& given_of,
                      std::size_t given_vocab, const AlignerOptions& options);
};

}  // namespace demotic
