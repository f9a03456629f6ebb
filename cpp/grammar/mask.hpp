// Sentence pairs that extraction treats as absent.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grammar/index.hpp"

namespace demotic {

// A set of positions of a text: all words of some sentences. One sentence is an interval, many are
// a bitmap, so that the question costs a comparison or a bit and never a look-up of the sentence.
class PositionSet {
 public:
  PositionSet(const IndexedText& text, std::span<const std::uint32_t> sentences);
  bool contains(std::uint32_t position) const {
    return bits_.empty() ? position - begin_ < length_
                         : (bits_[position / 64] >> (position % 64) & 1) != 0;
  }

 private:
  std::uint32_t begin_ = 0, length_ = 0;
  std::vector<std::uint64_t> bits_;
};

// Positions and words are those of one index, so a mask is of no use with another one: it keeps its
// own alive, and its address tells them apart.
class Mask {
 public:
  // Any numbers of sentence pairs, in any order; throws Error when one is out of range.
  Mask(std::shared_ptr<const GrammarIndex> index, std::vector<std::uint32_t> sentences);

  bool belongs_to(const GrammarIndex& index) const { return index_.get() == &index; }
  std::size_t size() const { return sentences_.size(); }
  // Positions of the excluded pairs in the texts of a part.
  const PositionSet& source(std::size_t part) const { return positions_[part].source; }
  const PositionSet& target(std::size_t part) const { return positions_[part].target; }
  std::span<const std::uint32_t> sentences() const { return sentences_; }  // in order, each once

  // What the excluded pairs contributed to a row of the lexicon, and to the totals of target words
  // (by word, each once).
  std::span<const LexicalEntry> removed_row(WordId source) const;
  std::span<const LexicalEntry> removed_targets() const { return removed_targets_; }

  // Names the set of sentences in a cache of patterns: masks of the same sentences find each
  // other's patterns. A hash: the chance that any two of ten thousand sets share it is below
  // 10^-11. 0: a single sentence, used once and not worth keeping.
  std::uint64_t id() const { return id_; }

 private:
  void count_removed();

  std::shared_ptr<const GrammarIndex> index_;
  std::vector<std::uint32_t> sentences_;
  struct Positions {  // in one part of the index
    PositionSet source, target;
  };
  std::vector<Positions> positions_;
  std::uint64_t id_;
  std::vector<WordId> removed_sources_;  // distinct, in order; their rows begin at removed_starts_
  std::vector<std::uint32_t> removed_starts_;
  std::vector<LexicalEntry> removed_entries_, removed_targets_;
};

}  // namespace demotic
