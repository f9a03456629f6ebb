// Feature name <-> dense id, in the order of interning, for tens of millions of features.
//
// What a feature costs: 16 bytes per slot of a table that is between 3/8 and 3/4 full (21 to 43
// bytes, 32 on average), 8 bytes for the place of its name (up to 16 while the array grows), and
// the bytes of the name: about 75 bytes for a name of 30, so 50 million features are 3.7 GB. While
// the table doubles, the old and the new one exist together.
//
// Any number of threads may call the const members at once, as long as nobody interns. Interning is
// sequential, which is also what makes ids reproducible: threads only find; what they do not find
// they number locally (rule_features.hpp), and one thread interns it later in a fixed order.
// Whoever looks up many features says so with Reading: interning meanwhile is an error, not a race.
//
// Ids mean nothing without their index, so whatever keeps ids keeps its identity too, and asks
// `has_ids_of` before it is used with an index.
//
// Who translates must leave the index of the model as it is, but may have to show features that it
// does not know: an index over it has ids for those, and is thrown away with what was shown.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/huge_vector.hpp"
#include "base/prefetch.hpp"
#include "features/name_hash.hpp"

namespace demotic {

using FeatureId = std::uint32_t;

class FeatureIndex {
 public:
  static constexpr FeatureId kMaxSize =
      FeatureId{1} << 31;  // the upper half of the numbers is for features outside the index

  FeatureIndex();
  // Knows all features of `base` under the same ids; what is interned here gets ids from
  // base->size() on. Nobody may add to `base` as long as this index is used: the next call would
  // throw Error.
  explicit FeatureIndex(std::shared_ptr<const FeatureIndex> base);
  FeatureIndex(FeatureIndex&&) = default;
  FeatureIndex& operator=(FeatureIndex&&) = default;

  std::optional<FeatureId> find(const Fingerprint& print) const {
    if (base_ != nullptr)
      if (const auto id = unchanged_base().find(print)) return id;
    const Slot wanted(print, kNone);
    for (std::size_t i = place_of(wanted);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].id == kNone) return std::nullopt;
      if (slots_[i].same_print(wanted)) return slots_[i].id;
    }
  }
  std::optional<FeatureId> find(std::string_view name) const { return find(fingerprint(name)); }
  // Asks for the memory that find will need; a few look-ups ahead, it hides the time of a cache
  // miss.
  void prefetch(const Fingerprint& print) const {
    demotic::prefetch(&slots_[place_of(Slot(print, kNone))]);
  }

  // The id of a name, new or old. `print` must be the fingerprint of `name`. Throws Error while
  // another thread interns, and for a new name while another one reads.
  FeatureId intern(const Fingerprint& print, std::string_view name);
  FeatureId intern(std::string_view name) { return intern(fingerprint(name), name); }

  std::string_view name(
      FeatureId id) const;  // throws Error when id >= size(); valid as long as the index
  std::size_t size() const { return first_ + names_.size(); }
  const std::shared_ptr<const FeatureIndex>& base() const {
    return base_;
  }  // null, unless it was made over another one
  std::size_t bytes() const;  // of memory in use, without that of the base

  // A number that no other index of this process ever has; not 0.
  std::uint64_t identity() const { return shared_->identity; }
  // Whether ids of the index with this identity mean the same features here.
  bool has_ids_of(std::uint64_t identity) const {
    return identity == shared_->identity || (base_ != nullptr && base_->has_ids_of(identity));
  }
  // Throws Error if not. `what` has the ids: "the k-best list".
  void check_ids_of(std::uint64_t identity, const char* what) const {
    if (!has_ids_of(identity)) throw_foreign(what);
  }

  // As long as one of these lives, interning throws Error; making one while another thread interns
  // throws it too.
  class Reading {
   public:
    explicit Reading(const FeatureIndex& index);
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    const FeatureIndex& index_;
  };

 private:
  struct Shared {
    std::uint64_t identity;
    std::atomic<int> readers{0};  // kInterning: somebody interns
  };
  static constexpr int kInterning = -(1 << 30);
  class Interning;

  [[noreturn]] static void throw_foreign(const char* what);
  static constexpr FeatureId kNone = ~FeatureId{0};

  // 96 bits of the fingerprint and the id. The table is rebuilt from its slots alone, without a
  // look at the names.
  struct Slot {
    std::uint64_t key;    // all 61 bits of the first residue, 3 of the second
    std::uint32_t check;  // 32 more of the second
    FeatureId id;

    Slot() : key(0), check(0), id(kNone) {}
    Slot(const Fingerprint& print, FeatureId number)
        : key(print.first | print.second << 61),
          check(static_cast<std::uint32_t>(print.second >> 3)),
          id(number) {}
    bool same_print(const Slot& other) const { return key == other.key && check == other.check; }
  };
  // Where a name lies: names never cross the border of a chunk, so chunks never move.
  struct Name {
    std::uint64_t chunk : 24, offset : 20, length : 20;
  };
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

  std::size_t place_of(const Slot& slot) const {
    return static_cast<std::size_t>((slot.key * 0x9e3779b97f4a7c15ull) >> shift_);
  }
  const FeatureIndex& unchanged_base() const {
    if (base_->size() != first_) base_has_grown();
    return *base_;
  }
  [[noreturn]] static void base_has_grown();
  void insert(const Slot& slot);
  void grow();
  Name store(std::string_view name);

  std::unique_ptr<Shared> shared_;  // stays where it is when the index moves
  std::shared_ptr<const FeatureIndex> base_;
  FeatureId first_ = 0;     // id of the first feature of this index: the size of the base
  HugeVector<Slot> slots_;  // open addressing, linear probing; a power of two
  int shift_;  // 64 - log2 of their number: the place is given by the highest bits of a product
  std::vector<Name> names_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunk_end_ = kChunkBytes;  // bytes used of the last chunk
};

}  // namespace demotic
