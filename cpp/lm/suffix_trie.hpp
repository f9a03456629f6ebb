// All n-grams of a text with their counts, as a trie that is read from right to left: the children
// of "of the" are "one of the", "some of the", ... One array per order, in suffix order, so passes
// over a level run through memory in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_vector.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

using Fold = std::uint16_t;

// How often an n-gram occurs in the sentences of one fold.
struct FoldCount {
  Fold fold;
  std::uint32_t count;
};

// Counts stay at the largest value instead of starting over: four billion occurrences are as good
// as more.
constexpr std::uint32_t saturating_add(std::uint32_t a, std::uint32_t b) {
  return a > ~b ? ~0u : a + b;
}

struct SuffixTrie {
  struct FoldLeaf {  // counts that are too large take several
    std::uint32_t ngram;
    Fold fold;
    std::uint16_t count;
  };
  struct Level {                         // the n-grams of one order
    HugeVector<WordId> first;            // their leftmost word
    HugeVector<std::uint32_t> children;  // where their children begin in the next level, and where
                                         // the last ones end; empty for the highest order
    HugeVector<std::uint32_t> occurrences;  // of n-grams that cannot be longer: of the highest
                                            // order, or beginning with <s>; else 0
    HugeVector<std::uint32_t> context;      // the n-gram without its last word, in the level below
                                            // (from order 3; below it is `first`)
    HugeVector<FoldLeaf> folds;  // where `occurrences` lie, when sentences belong to folds
    std::size_t size() const { return first.size(); }
  };
  std::vector<Level> levels;  // levels[n - 1]: order n; the index in level 0 is the word id

  unsigned order() const { return static_cast<unsigned>(levels.size()); }
  std::span<const std::uint32_t> contexts(unsigned order) const {
    return order == 2 ? levels[1].first : levels[order - 1].context;
  }
};

// Builds a part of a trie from maximal n-grams (see SuffixSorter) that come in suffix order, each
// once.
class SuffixTrieBuilder {
 public:
  SuffixTrieBuilder(unsigned order, bool keep_folds) : levels_(order), keep_folds_(keep_folds) {}

  void add(std::span<const WordId> reversed, std::span<const FoldCount> counts);
  std::vector<SuffixTrie::Level>& levels() { return levels_; }

 private:
  std::vector<SuffixTrie::Level> levels_;
  std::vector<WordId> previous_;
  bool keep_folds_;
};

// Puts parts that follow each other together and links every n-gram to its context.
SuffixTrie join_parts(std::vector<SuffixTrieBuilder> parts, std::size_t vocab_size,
                      unsigned threads);

}  // namespace demotic
