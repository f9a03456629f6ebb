// A language model as a list of n-grams: what an ARPA file holds, with the links that queries need.
#pragma once

#include <cstdint>
#include <vector>

#include "base/huge_vector.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

struct Ngrams {
  struct Level {                        // the n-grams of one order
    HugeVector<WordId> first;           // their leftmost word
    HugeVector<std::uint32_t> suffix;   // the n-gram without its first word, in the level below
    HugeVector<std::uint32_t> context;  // the n-gram without its last word, in the level below
    HugeVector<float> prob;             // log10
    HugeVector<float> backoff;          // log10; empty for the highest order
    std::size_t size() const { return prob.size(); }
  };
  Vocab vocab;                // begins with special_words()
  std::vector<Level> levels;  // levels[n - 1]: order n; the index in level 0 is the word id, and
                              // suffix and context are empty there

  unsigned order() const { return static_cast<unsigned>(levels.size()); }
};

}  // namespace demotic
