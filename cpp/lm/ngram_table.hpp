// Where n-grams lie: (context, word) -> place in a level. Open addressing, linear probing.
//
// A look-up in a table of many megabytes mostly waits for memory. So the hash is a thing of its
// own: callers with many questions ask for all slots first (`prefetch`), then for the answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/hash.hpp"
#include "base/huge_vector.hpp"
#include "base/prefetch.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

class NgramTable {
 public:
  static constexpr std::uint32_t kAbsent = ~0u;
  static constexpr std::size_t kMost = std::size_t{1} << 31;  // n-grams

  static std::uint64_t hash(std::uint32_t context, WordId word) {
    return mix((std::uint64_t{context} << 32) | word);
  }

  // Makes room for so many n-grams at once; more may come.
  void reserve(std::size_t ngrams) {
    if (const std::size_t slots = ngrams + ngrams / 2 + 8; slots > slots_.size()) resize(slots);
  }

  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) demotic::prefetch(&slots_[home(hash)]);
  }

  // The place, or kAbsent.
  std::uint32_t find(std::uint64_t hash, std::uint32_t context, WordId word) const {
    return slots_.empty() ? kAbsent : slots_[slot_of(hash, context, word)].place;
  }

  // Remembers a place, unless there is one already, which is then returned; else kAbsent.
  std::uint32_t insert(std::uint64_t hash, std::uint32_t context, WordId word,
                       std::uint32_t place) {
    if (3 * (used_ + 1) > 2 * slots_.size()) resize(std::max<std::size_t>(64, 2 * slots_.size()));
    Slot& slot = slots_[slot_of(hash, context, word)];
    if (slot.place != kAbsent) return slot.place;
    slot = {context, word, place};
    ++used_;
    return kAbsent;
  }

 private:
  struct Slot {
    std::uint32_t context, word, place;
  };

  // A larger table has them in the same order.
  std::size_t home(std::uint64_t hash) const {
    return static_cast<std::size_t>(((hash >> 32) * slots_.size()) >> 32);
  }

  std::size_t slot_of(std::uint64_t hash, std::uint32_t context, WordId word) const {
    std::size_t slot = home(hash);
    while (slots_[slot].place != kAbsent &&
           (slots_[slot].context != context || slots_[slot].word != word))
      slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    return slot;
  }

  void resize(std::size_t slots) {
    const auto old = std::exchange(slots_, HugeVector<Slot>(slots, Slot{0, 0, kAbsent}));
    for (const Slot& slot : old)
      if (slot.place != kAbsent)
        slots_[slot_of(hash(slot.context, slot.word), slot.context, slot.word)] = slot;
  }

  HugeVector<Slot> slots_;  // at most two thirds in use
  std::size_t used_ = 0;
};

}  // namespace demotic
