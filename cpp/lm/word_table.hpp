// Ids of words for a reader that asks for millions of them: one look at memory, of which it can be
// told ahead, where Vocab needs three.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/prefetch.hpp"
#include "corpus/vocab.hpp"

namespace demotic {

class WordTable {
 public:
  // What is known of a word without looking it up.
  struct Key {
    std::uint64_t head, hash;
  };
  static constexpr WordId kAbsent = ~0u;

  WordTable() = default;
  // All words of a vocabulary, which must stay as it is for as long as this is used.
  explicit WordTable(const Vocab& vocab)
      : vocab_(vocab.view()), slots_(std::bit_ceil(2 * vocab.size() + 1)) {
    for (WordId id = 0; id < vocab.size(); ++id) {
      const std::string_view word = vocab_.word(id);
      const Key key = key_of(word, word.data() + word.size());
      slots_[slot_of(word, key)] = {key.head, static_cast<std::uint32_t>(word.size()), id};
    }
  }

  // Bytes may be read up to `readable`, which is not before the end of the word.
  static Key key_of(std::string_view word, const char* readable) {
    const std::uint64_t head = head_of(word, readable);
    return {head, word.size() <= 8 ? mix(head ^ word.size()) : hash_bytes(word)};
  }

  void prefetch(const Key& key) const { demotic::prefetch(&slots_[home(key)]); }

  // The word's id, or kAbsent.
  WordId find(std::string_view word, const Key& key) const { return slots_[slot_of(word, key)].id; }

 private:
  struct Slot {
    std::uint64_t head = 0;    // the first eight bytes
    std::uint32_t length = 0;  // of the word; words of more than 4 billion bytes are compared
    WordId id = kAbsent;
  };

  // The first eight bytes of a word, zeros behind its end.
  static std::uint64_t head_of(std::string_view word, const char* readable) {
    std::uint64_t head = 0;
    if (std::endian::native == std::endian::little && readable - word.data() >= 8) {
      std::memcpy(&head, word.data(), 8);
      return word.size() >= 8 ? head : head & ((std::uint64_t{1} << (8 * word.size())) - 1);
    }
    std::memcpy(&head, word.data(), word.size() < 8 ? word.size() : 8);
    return head;
  }

  std::size_t home(const Key& key) const { return key.hash & (slots_.size() - 1); }

  bool is(const Slot& slot, std::string_view word, const Key& key) const {
    return slot.head == key.head && slot.length == static_cast<std::uint32_t>(word.size()) &&
           (word.size() <= 8 || vocab_.word(slot.id) == word);
  }

  std::size_t slot_of(std::string_view word, const Key& key) const {
    std::size_t slot = home(key);
    while (slots_[slot].id != kAbsent && !is(slots_[slot], word, key))
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  VocabView vocab_;
  std::vector<Slot> slots_ = std::vector<Slot>(1);  // a power of two, at most half in use
};

}  // namespace demotic
