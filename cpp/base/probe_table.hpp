// Hash tables with open addressing and linear probing, made for tables that are filled and emptied
// thousands of times a second: slots carry the stamp of the filling that they belong to, so a table
// is emptied in no time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace demotic {

// A slot is plain data with a member `std::uint32_t stamp = 0`. A power of two of slots, at most
// half full.
template <class Slot>
class ProbeTable {
 public:
  explicit ProbeTable(int bits) : bits_(bits), slots_(std::size_t{1} << bits) {}

  std::size_t size() const { return size_; }
  void clear() {
    size_ = 0;
    if (++stamp_ == 0) {  // stamps begin anew
      slots_.assign(slots_.size(), Slot{});
      stamp_ = 1;
    }
  }

  // The slot with this hash for which `same(slot)` holds, or null.
  template <class Same>
  const Slot* find(std::uint64_t hash, Same same) const {
    const Slot& slot = slots_[place_of(hash, same)];
    return slot.stamp == stamp_ ? &slot : nullptr;
  }

  // The same, or a free slot, which is now in use and must be filled, and whether it was free.
  // Valid until the next call. `hash_of(slot)` is the hash that a slot was inserted with.
  template <class Same, class HashOf>
  std::pair<Slot*, bool> insert(std::uint64_t hash, Same same, HashOf hash_of) {
    if (2 * (size_ + 1) > slots_.size()) grow(hash_of);
    Slot& slot = slots_[place_of(hash, same)];
    if (slot.stamp == stamp_) return {&slot, false};
    slot.stamp = stamp_;
    ++size_;
    return {&slot, true};
  }

 private:
  template <class Same>
  std::size_t place_of(std::uint64_t hash, Same same) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t place = quick_slot(hash, bits_);
    while (slots_[place].stamp == stamp_ && !same(slots_[place])) place = (place + 1) & last;
    return place;
  }
  template <class HashOf>
  void grow(HashOf hash_of) {
    std::vector<Slot> old(std::size_t{1} << ++bits_);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.stamp == stamp_)
        slots_[place_of(hash_of(slot), [](const Slot&) { return false; })] = slot;
  }

  int bits_;
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  std::uint32_t stamp_ = 1;
};

// Values by 64-bit keys.
template <class Value>
class KeyTable {
 public:
  explicit KeyTable(int bits = 10) : table_(bits) {}

  void clear() { table_.clear(); }
  // Null: no such key.
  const Value* find(std::uint64_t key) const {
    const Slot* const slot =
        table_.find(key, [key](const Slot& other) { return other.key == key; });
    return slot == nullptr ? nullptr : &slot->value;
  }
  // The value of a key, and whether the key is new; it then gets `value`. Valid until the next
  // call.
  std::pair<Value*, bool> insert(std::uint64_t key, const Value& value) {
    const auto [slot, is_new] = table_.insert(
        key, [key](const Slot& other) { return other.key == key; },
        [](const Slot& other) { return other.key; });
    if (is_new) {
      slot->key = key;
      slot->value = value;
    }
    return {&slot->value, is_new};
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t stamp = 0;
    Value value{};
  };
  ProbeTable<Slot> table_;
};

// Numbers of entries that lie elsewhere, in an array of the owner, and are compared there.
class NumberTable {
 public:
  explicit NumberTable(int bits = 8) : table_(bits) {}

  void clear() { table_.clear(); }
  // The number of the entry for which `same(number)` holds, and whether there was none; `number` is
  // then that of the new entry. `hash_of(number)` is the hash that an entry was inserted with.
  template <class Same, class HashOf>
  std::pair<std::uint32_t, bool> insert(std::uint64_t hash, std::uint32_t number, Same same,
                                        HashOf hash_of) {
    const auto [slot, is_new] = table_.insert(
        hash, [&same](const Slot& slot) { return same(slot.number); },
        [&hash_of](const Slot& slot) { return hash_of(slot.number); });
    if (is_new) slot->number = number;
    return {slot->number, is_new};
  }

 private:
  struct Slot {
    std::uint32_t stamp = 0;
    std::uint32_t number = 0;
  };
  ProbeTable<Slot> table_;
};

}  // namespace demotic
