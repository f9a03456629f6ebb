// A hash table of 64-bit keys that is emptied in no time, for tables that are filled and emptied thousands of times a second.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace demotic {

template <class Value>
class StampedTable {
 public:
  void clear() {
    size_ = 0;
    if (++generation_ == 0) {  // stamps begin anew
      slots_.assign(slots_.size(), Slot{});
      generation_ = 1;
    }
  }

  // The value of a key, and whether the key is new; it then gets `value`. Valid until the next call.
  std::pair<Value*, bool> insert(std::uint64_t key, const Value& value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot* const slot = place_of(key);
    if (slot->generation == generation_) return {&slot->value, false};
    *slot = {key, generation_, value};
    ++size_;
    return {&slot->value, true};
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t generation = 0;  // slots of older generations are free
    Value value{};
  };

  // Open addressing, linear probing.
  Slot* place_of(std::uint64_t key) {
    const std::size_t last = slots_.size() - 1;
    std::size_t place = quick_slot(key, bits_);
    while (slots_[place].generation == generation_ && slots_[place].key != key) place = (place + 1) & last;
    return &slots_[place];
  }
  void grow() {
    std::vector<Slot> old(std::size_t{1} << ++bits_);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.generation == generation_) *place_of(slot.key) = slot;
  }

  int bits_ = 10;
  std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << bits_);
  std::size_t size_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace demotic
