// Remembers what the language model says where two pieces meet. It depends on two 32-bit states
// only, and decoding asks the same questions again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "lm/model.hpp"

namespace demotic {

class JunctionCache {
 public:
  explicit JunctionCache(const Model& lm) : lm_(&lm), entries_(kEntries), lefts_(kEntries) {}

  // As Model::merge. Search does little else, so it is worth a copy wherever it is called.
  [[gnu::always_inline]] Merged merge(ChartState first, ChartState second) {
    const std::uint64_t key = key_of(first.right, second.left);
    Entry& entry = entries_[quick_slot(key, kBits)];
    if (entry.key != key) [[unlikely]]
      answer(entry, first.right, second.left);
    const LeftState left = first.left.full() ? first.left : extend(first.left, second.left);
    return {entry.change, {left, entry.right == kKeepsRight ? second.right : entry.right}};
  }

 private:
  // Direct-mapped: a new question simply takes the place of an old one.
  static constexpr int kBits = 15;
  static constexpr std::size_t kEntries = std::size_t{1} << kBits;
  static constexpr NgramId kKeepsRight = ~0u;  // the ids of n-grams are below 2^31
  struct Entry {
    std::uint64_t key = ~0ull;  // no state has these bits
    float change = 0;
    NgramId right = 0;
  };
  struct LeftEntry {
    std::uint64_t key = ~0ull;
    LeftState left;
  };

  static std::uint64_t key_of(NgramId right, LeftState left) {
    return (std::uint64_t{right} << 32) | left.bits();
  }
  [[gnu::noinline]] void answer(Entry& entry, NgramId right, LeftState left) const {
    const Junction junction = lm_->join(right, left);
    entry = {key_of(right, left), junction.change,
             junction.keeps_right ? kKeepsRight : junction.right};
  }
  [[gnu::always_inline]] LeftState extend(LeftState left, LeftState next) {
    const std::uint64_t key = (std::uint64_t{left.bits()} << 32) | next.bits();
    LeftEntry& entry = lefts_[quick_slot(key, kBits)];
    if (entry.key != key) [[unlikely]]
      answer(entry, key, left, next);
    return entry.left;
  }
  [[gnu::noinline]] void answer(LeftEntry& entry, std::uint64_t key, LeftState left,
                                LeftState next) const {
    entry = {key, lm_->extend(left, next)};
  }

  const Model* lm_;
  std::vector<Entry> entries_;
  std::vector<LeftEntry> lefts_;
};

}  // namespace demotic
