// What a text has in common with the indexed corpus.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/indexed_text.hpp"

namespace demotic {

// Words that are in no vocabulary; they match nothing.
constexpr WordId kNoWord = 0xFFFFFFFFu;

struct Match {
  std::uint32_t begin = 0, length = 0;  // in the words asked about
  std::uint32_t sentence = 0;  // of the corpus, the first of those that have it; 0 if length is 0
};

// The longest stretch of `words` that a sentence of the corpus has; the first of equally long ones.
Match longest_match(const IndexedText& text, std::span<const WordId> words);

// Sentences of the corpus that consist of these words, by rising number; `words` must not be empty.
std::vector<std::uint32_t> equal_sentences(const IndexedText& text, std::span<const WordId> words);

}  // namespace demotic
