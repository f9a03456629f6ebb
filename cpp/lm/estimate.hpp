// Interpolated modified Kneser-Ney estimation, as defined by Heafield, Pouzyrevsky, Clark and Koehn
// (2013):
//
//   adjusted count  a(w1..wn) = occurrences, for the highest order and for n-grams that begin with
//   <s>;
//                               else the number of different words that stand before it
//   probability     p(wn | w1..wn-1) = (a(w1..wn) - D(a)) / sum_x a(w1..wn-1 x) + b(w1..wn-1) p(wn
//   | w2..wn-1) backoff         b(w1..wn-1) = sum_x D(a(w1..wn-1 x)) / sum_x a(w1..wn-1 x)
//
// and the unigrams are interpolated with the uniform distribution over all words but <s>, <unk>
// among them. The probability of <s> is never used; it is written as log10 1 = 0.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/huge_vector.hpp"
#include "lm/discounts.hpp"
#include "lm/ngrams.hpp"
#include "lm/suffix_trie.hpp"

namespace demotic {

struct EstimateOptions {
  // prune[n - 1]: n-grams of order n that occur at most so often are left out; 0 keeps all. Missing
  // orders take the last value. Never falling, and 0 for order 1, so that what an n-gram needs
  // stays. What is left out goes to the backoff.
  std::vector<std::uint32_t> prune;
  unsigned threads = 1;
  bool first_words =
      true;  // fill Ngrams::Level::first, which is needed to write ARPA but not to build a model
};

struct Estimate {
  Ngrams ngrams;
  std::vector<Discounts> discounts;  // of each order
};

// Estimates models from one set of counts. Working memory is kept from one model to the next.
class Estimator {
 public:
  // Both must outlive the estimator. Throws Error for thresholds that cannot be.
  Estimator(const SuffixTrie& trie, const Vocab& vocab, EstimateOptions options);

  // The model of all sentences, or of all but those of one fold. The arrays of `result` are used
  // again.
  void run(std::optional<Fold> without, Estimate& result);

 private:
  // What is known of an n-gram as a context of longer ones.
  struct Context {
    double left_over = 0;     // the part of `total` that goes to the backoff
    std::uint32_t total = 0;  // sum of the adjusted counts of the n-grams that it is the context of
    std::uint32_t number = 0;  // its place among the n-grams that stay, or kGone
  };
  using Counts = HugeVector<std::uint32_t>;

  std::uint32_t threshold(unsigned order) const;
  void occurrences(unsigned order, std::optional<Fold> without, Counts& result) const;
  void adjust_counts(std::optional<Fold> without);
  bool stays(unsigned order, std::size_t i) const;
  std::uint32_t number(unsigned order, std::size_t i) const {
    return order == order_ ? longest_numbers_[i] : contexts_[order - 1][i].number;
  }
  void discount_and_number(unsigned order, Estimate& result);
  void share(unsigned order, const Discounts& discounts);
  void resize(Ngrams::Level& level, unsigned order) const;
  void interpolate_unigrams(const Discounts& discounts, Ngrams::Level& level) const;
  void interpolate(unsigned order, const Discounts& discounts,
                   std::vector<Ngrams::Level>& levels) const;
  void take_logarithms(unsigned order, Ngrams::Level& level) const;
  void name_words(Vocab& names) const;

  const SuffixTrie& trie_;
  const Vocab& vocab_;
  const EstimateOptions options_;
  const unsigned order_;
  // By order, then n-gram of the trie:
  std::vector<Counts> counts_, occurrences_;  // the second only when pruning needs it
  std::vector<HugeVector<Context>>
      contexts_;                    // of all orders but the highest, whose n-grams are not contexts
  Counts longest_numbers_;          // Context::number of those
  std::vector<std::size_t> sizes_;  // n-grams that stay, by order
};

}  // namespace demotic
