// IBM model 1 (Brown et al. 1993) by expectation maximisation, to find the word pairs that may be
// links at all.
//
// The corpus is walked through by word, not by sentence: for one given word, its probabilities lie
// in an array over the other vocabulary, and every sentence that has the word is read. No hash
// table, no number per pair of tokens, and what is read fits the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "align/options.hpp"

namespace demotic {

class Ibm1 {
 public:
  struct Entry {
    WordId own;
    float probability;
  };

  // Trains on all pairs, then keeps the word pairs that are somewhere likely: a link whose
  // posterior is at least `threshold`, or the best that a token has. The result does not depend on
  // the number of threads.
  Ibm1(const Direction& text, double threshold, unsigned threads);

  // The words that `given` may generate, in no particular order.
  std::span<const Entry> row(WordId given) const {
    return {entries_.data() + starts_[given], starts_[given + 1] - starts_[given]};
  }
  std::size_t pairs() const { return entries_.size(); }
  float null_probability(WordId own) const { return null_[own]; }
  // What a probability is to be multiplied with to be the posterior of a link of this token.
  float scale(std::size_t token) const { return scale_[token]; }
  // Whether a link of this token, which has this probability, is probable enough.
  bool is_likely(float probability, std::size_t token) const {
    return probability * scale_[token] >= least_[token];
  }

 private:
  std::vector<std::uint64_t> starts_;
  std::vector<Entry> entries_;
  std::vector<float> null_;
  std::vector<float> scale_;
  std::vector<float> least_;  // posterior that a link of each token needs
};

// Where the words of one side occur.
struct Occurrences {
  explicit Occurrences(const Ragged<WordId>& sentences, std::size_t vocab);

  std::vector<std::uint64_t> starts;     // of each word
  std::vector<std::uint32_t> sentences;  // ascending; twice in it: listed twice
  std::vector<std::uint64_t> tokens;
  // Words with about the same number of occurrences per part: work for threads. Ends of the parts.
  std::vector<WordId> parts(std::size_t wanted) const;
};

}  // namespace demotic
