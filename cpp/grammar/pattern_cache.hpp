// Finished patterns, kept for the next sentences: bounded in bytes, shared by threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "grammar/grammar.hpp"

namespace demotic {

constexpr std::uint64_t kKeptCounts = ~std::uint64_t{0};

struct PatternKey {
  std::uint64_t mask = 0;  // Mask::id(); 0: nothing is masked; kKeptCounts: not rules, but counts
  std::uint8_t length = 0;
  std::array<Symbol, kMaxSymbols> symbols{};

  bool operator==(const PatternKey&) const = default;
  std::uint64_t hash() const;
};

// What is not used goes first: the second-chance approximation of least recently used, which needs
// no list of entries, so that a hit costs one place in memory. A key says of which type its value
// is: finished rules, or counts from which rules are made for any mask.
class PatternCache {
 public:
  explicit PatternCache(std::size_t max_bytes) : max_shard_bytes_(max_bytes / kShards) {}

  // What is known of a pattern (possibly that it has no rules), or nullptr.
  template <class Value = RuleBlock>
  std::shared_ptr<const Value> find(const PatternKey& key) {
    return std::static_pointer_cast<const Value>(find_any(key));
  }
  // Fetches what find() will look at: for those who ask for many patterns at a time.
  void prefetch(const PatternKey& key) const;
  // `bytes`: what the value costs.
  void insert(const PatternKey& key, std::shared_ptr<const void> value, std::size_t bytes);
  std::size_t bytes() const;
  struct Use {
    std::uint64_t hits = 0, misses = 0;  // of find()
  };
  Use use() const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::shared_ptr<const void> value;  // nullptr: free
    PatternKey key;
    std::uint32_t bytes = 0;
    bool used = false;  // since the hand came by
  };
  struct Shard {  // with a lock of its own, so that threads seldom wait
    mutable std::mutex mutex;
    std::vector<Entry>
        table;  // open addressing with linear probing; a power of two, at most half full
    std::size_t entries = 0, value_bytes = 0, hand = 0;
    Use use;

    std::size_t bytes() const { return value_bytes + table.size() * sizeof(Entry); }
    std::size_t slot_of(std::uint64_t hash,
                        const PatternKey& key) const;  // its slot, or the free one where it belongs
    void grow(std::size_t size);
    void evict_one();
    void erase(std::size_t slot);
  };
  static constexpr std::size_t kShards = 16;

  std::shared_ptr<const void> find_any(const PatternKey& key);
  Shard& shard_of(std::uint64_t hash) { return shards_[hash >> 60]; }
  const Shard& shard_of(std::uint64_t hash) const { return shards_[hash >> 60]; }

  std::size_t max_shard_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace demotic
