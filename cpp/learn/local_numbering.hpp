// The features of a list numbered from 0 in the order of their ids, so that vectors over them are
// short arrays.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "features/feature_index.hpp"

namespace demotic {

// A bit per id up to the largest, and how many bits are set before each word: no sorting, no
// hashing.
class LocalNumbering {
 public:
  explicit LocalNumbering(std::span<const FeatureId> features) {
    if (features.empty()) return;
    const auto [least, largest] = std::ranges::minmax(features);
    base_ = least & ~FeatureId{63};
    words_.resize((largest - base_) / 64 + 1);
    for (const FeatureId id : features) words_[(id - base_) / 64].bits |= bit(id);
    for (Word& word : words_) {
      word.before = size_;
      size_ += static_cast<std::uint32_t>(std::popcount(word.bits));
    }
  }

  std::size_t size() const { return size_; }
  // The number of one of the features.
  std::uint32_t operator[](FeatureId id) const {
    const Word& word = words_[(id - base_) / 64];
    return word.before + static_cast<std::uint32_t>(std::popcount(word.bits & (bit(id) - 1)));
  }
  // The features in the order of their numbers.
  std::vector<FeatureId> ids() const {
    std::vector<FeatureId> result;
    result.reserve(size_);
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t bits = words_[i].bits; bits != 0; bits &= bits - 1)
        result.push_back(base_ + static_cast<FeatureId>(64 * i) +
                         static_cast<FeatureId>(std::countr_zero(bits)));
    return result;
  }

 private:
  struct Word {
    std::uint64_t bits = 0;
    std::uint32_t before = 0;
  };
  static std::uint64_t bit(FeatureId id) { return std::uint64_t{1} << (id % 64); }

  FeatureId base_ = 0;
  std::vector<Word> words_;
  std::uint32_t size_ = 0;
};

}  // namespace demotic
