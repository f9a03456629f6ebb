// Which words follow which, and how often: the counts that word classes are made from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace demotic {

struct WordCount {
  std::uint32_t word, count;
};

// Words as lists of their neighbours. Word 0 is the sentence boundary.
class WordBigrams {
 public:
  // `tokens`: sentences one after the other, each followed by 0; the first is preceded by 0 or by
  // nothing. Throws Error if a token is not below `words`.
  WordBigrams(std::span<const std::uint32_t> tokens, std::size_t words);

  std::size_t words() const { return counts_.size(); }
  std::uint32_t count(std::uint32_t word) const { return counts_[word]; }
  std::span<const WordCount> successors(std::uint32_t word) const { return next_[word]; }
  std::span<const WordCount> predecessors(std::uint32_t word) const { return before_[word]; }

 private:
  struct Lists {
    std::vector<std::uint64_t> starts;
    std::vector<WordCount> values;
    std::span<const WordCount> operator[](std::uint32_t word) const {
      return std::span(values).subspan(starts[word], starts[word + 1] - starts[word]);
    }
  };
  static Lists transposed(const Lists& lists);

  std::vector<std::uint32_t> counts_;
  Lists next_, before_;
};

}  // namespace demotic
