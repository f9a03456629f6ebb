// One side of the corpus with its suffix array: every occurrence of a phrase is a range of
// suffixes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/bitext.hpp"

namespace demotic {

// Word w of the vocabulary is the token w + 1; token 0 stands before the first sentence and after
// every sentence.
using Token = std::uint32_t;
constexpr Token kBoundary = 0;
constexpr Token token_of(WordId word) { return word + 1; }

// Half-open range of places in the suffix array.
struct SuffixRange {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
};

// Arrays that belong to somebody else (the index file, or IndexedTextBuffers).
struct IndexedText {
  std::span<const Token> tokens;
  std::span<const std::uint32_t>
      starts;  // position of each sentence's first token; one more at the end
  std::span<const std::uint32_t> suffixes;  // positions of words, in the order of what follows them
  std::span<const std::uint32_t>
      first;  // where in `suffixes` those with the same first word begin; one more at the end

  std::size_t sentences() const { return starts.size() - 1; }
  std::size_t vocab_size() const { return first.size() - 1; }
  std::span<const Token> sentence(std::size_t i) const {
    return tokens.subspan(starts[i], starts[i + 1] - starts[i] - 1);
  }

  // Words that the text does not have: an empty range.
  SuffixRange with_word(WordId word) const {
    return word < vocab_size() ? SuffixRange{first[word], first[word + 1]} : SuffixRange{};
  }
  // Of the suffixes in `range`, which share their first `depth` tokens, those with `word` next.
  SuffixRange extend(SuffixRange range, std::uint32_t depth, WordId word) const;

  // Where in `range` the suffix stands that begins at `position`; range.end: nowhere.
  std::uint32_t place_of(SuffixRange range, std::uint32_t position) const;

  // A description of what contradicts itself, or nullptr. After this every use is within bounds.
  const char* problem() const;
};

struct IndexedTextBuffers {
  std::vector<Token> tokens;
  std::vector<std::uint32_t> starts, suffixes, first;

  // `sentences` of words below vocab_size; the suffix array is full, so the order of occurrences
  // depends on the text alone.
  static IndexedTextBuffers build(const std::vector<std::span<const WordId>>& sentences,
                                  std::size_t vocab_size);
  IndexedText view() const { return {tokens, starts, suffixes, first}; }
};

}  // namespace demotic
