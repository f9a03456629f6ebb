// Interpolated modified Kneser-Ney estimation, as defined by Heafield, Pouzyrevsky, Clark and Koehn (2013):
//
//   adjusted count  a(w1..wn) = occurrences, for the highest order and for n-grams that begin with <s>;
//                               else the number of different words that stand before it
//   probability     p(wn | w1..wn-1) = (a(w1..wn) - D(a)) / sum_x a(w1..wn-1 x) + b(w1..wn-1) p(wn | w2..wn-1)
//   backoff         b(w1..wn-1) = sum_x D(a(w1..wn-1 x)) / sum_x a(w1..wn-1 x)
//
// and the unigrams are interpolated with the uniform distribution over all words but <s>, <unk> among them. The probability of
// <s> is never used; it is written as log10 1 = 0.
#pragma once

#include <optional>
#include <vector>

#include "lm/discounts.hpp"
#include "lm/ngrams.hpp"
#include "lm/suffix_trie.hpp"

namespace demotic {

struct EstimateOptions {
  // prune[n - 1]: n-grams of order n that occur at most so often are left out; 0 keeps all. Missing orders take the last
  // value. Never falling, and 0 for order 1, so that what an n-gram needs stays. What is left out goes to the backoff.
  std::vector<std::uint32_t> prune;
  std::optional<Fold> without;  // leave the sentences of this fold out
  unsigned threads = 1;
};

struct Estimate {
  Ngrams ngrams;
  std::vector<Discounts> discounts;  // of each order
};

Estimate estimate(const SuffixTrie& trie, const Vocab& vocab, const EstimateOptions& options);

}  // namespace demotic
