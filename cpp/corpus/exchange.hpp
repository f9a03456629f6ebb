// Word classes by the exchange algorithm: words move between classes as long as that makes the text
// more likely under a class bigram model, p(w | v) = p(w | class(w)) p(class(w) | class(v))
// (Kneser and Ney 1993; Martin, Liermann and Ney 1998, with the criterion for both sides).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocab.hpp"

namespace demotic {

struct ExchangeOptions {
  unsigned classes = 50;
  unsigned iterations = 20;  // passes over all words, at most; it ends when no word moves
  unsigned threads = 1;
};

struct Exchanged {
  // Class of each word, from 1. They are numbered by their most frequent words; a class that has
  // lost all its words is none.
  std::vector<std::uint16_t> class_of;
  std::vector<WordId>
      order;  // all words, the most frequent first, ties in the order of their bytes
  std::vector<double> log_likelihood;  // of the text, in nats: at the start and after each pass
};

constexpr unsigned kMostClasses = 2000;

// Clusters the words of a text: tokens are words of the vocabulary + 1, with 0 after each sentence.
// Depends on the text alone, not on ids or on the number of threads. Throws Error unless there are
// at least two classes and as many words.
Exchanged exchange(std::span<const std::uint32_t> tokens, const Vocab& vocab,
                   const ExchangeOptions& options);

}  // namespace demotic
