// Finished patterns, kept for the next sentences: bounded in bytes, shared by threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "grammar/grammar.hpp"

namespace demotic {

struct PatternKey {
  std::uint64_t mask = 0;  // Mask::id(); 0: nothing is masked
  std::uint8_t length = 0;
  std::array<Symbol, kMaxSymbols> symbols{};

  bool operator==(const PatternKey&) const = default;
  std::uint64_t hash() const;
};

// What is not used goes first: the second-chance approximation of least recently used, which needs
// no list of entries, so that a hit costs one place in memory.
class PatternCache {
 public:
  explicit PatternCache(std::size_t max_bytes) : max_shard_bytes_(max_bytes / kShards) {}

  // The block of a pattern (possibly without rules), or nullptr.
  std::shared_ptr<const RuleBlock> find(const PatternKey& key);
  void insert(const PatternKey& key, std::shared_ptr<const RuleBlock> block);
  std::size_t bytes() const;
  struct Use {
    std::uint64_t hits = 0, misses = 0;  // of find()
  };
  Use use() const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::shared_ptr<const RuleBlock> block;  // nullptr: free
    PatternKey key;
    bool used = false;  // since the hand came by
  };
  struct Shard {  // with a lock of its own, so that threads seldom wait
    mutable std::mutex mutex;
    std::vector<Entry>
        table;  // open addressing with linear probing; a power of two, at most half full
    std::size_t entries = 0, block_bytes = 0, hand = 0;
    Use use;

    std::size_t bytes() const { return block_bytes + table.size() * sizeof(Entry); }
    std::size_t slot_of(std::uint64_t hash,
                        const PatternKey& key) const;  // its slot, or the free one where it belongs
    void grow(std::size_t size);
    void evict_one();
    void erase(std::size_t slot);
  };
  static constexpr std::size_t kShards = 16;

  Shard& shard_of(std::uint64_t hash) { return shards_[hash >> 60]; }

  std::size_t max_shard_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace demotic
