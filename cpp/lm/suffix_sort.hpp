// Sorting the n-grams of a text by their last word, then the word before it, and so on ("suffix
// order").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_vector.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

// Sentences one after the other, each `<s> words </s>`. Every position but those of <s> is the end
// of one *maximal* n-gram: its last `order` words, or fewer where <s> comes first (nothing stands
// before <s>).
class SuffixSorter {
 public:
  SuffixSorter(std::span<const WordId> text, unsigned order, std::size_t vocab_size);

  // The positions where a word stands, to be sorted in place.
  std::span<std::uint32_t> positions(WordId word) {
    return {positions_.data() + starts_[word], positions_.data() + starts_[word + 1]};
  }
  // Sorts positions that share their word by the maximal n-grams that end there.
  void sort(std::span<std::uint32_t> positions) const { sort_from(positions, 1); }
  // The maximal n-gram that ends at a position, last word first; returns its length, at most
  // `order`.
  unsigned ngram(std::uint32_t position, std::span<WordId> reversed) const;
  // The text lies all over memory: ask for what will be looked at soon.
  void prefetch(std::span<const std::uint32_t> positions, std::size_t i) const {
    constexpr std::size_t kAhead = 16;
    if (i + kAhead < positions.size()) __builtin_prefetch(&text_[positions[i + kAhead]]);
  }
  std::size_t vocab_size() const { return starts_.size() - 1; }

 private:
  struct Entry {
    std::uint64_t key;  // the next few words to the left, packed
    std::uint32_t position;
  };
  std::uint64_t key(std::uint32_t position, unsigned depth) const;
  void sort_from(std::span<std::uint32_t> positions, unsigned depth) const;
  static void sort_entries(std::vector<Entry>& entries, std::vector<Entry>& scratch);

  std::span<const WordId> text_;
  unsigned order_, bits_, words_per_key_;
  std::vector<std::uint64_t> starts_;
  HugeVector<std::uint32_t> positions_;
};

}  // namespace demotic
