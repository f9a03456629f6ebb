// Finished patterns, kept for the next sentences: bounded in bytes, least recently used goes first, shared by threads.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "grammar/grammar.hpp"

namespace demotic {

struct PatternKey {
  std::uint32_t mask = 0;  // Mask::id()
  std::uint8_t length = 0;
  std::array<Symbol, kMaxSymbols> symbols{};

  bool operator==(const PatternKey&) const = default;
  std::uint64_t hash() const;
};

class PatternCache {
 public:
  explicit PatternCache(std::size_t max_bytes) : max_shard_bytes_(max_bytes / kShards) {}

  // The block of a pattern (possibly without rules), or nullptr.
  std::shared_ptr<const RuleBlock> find(const PatternKey& key);
  void insert(const PatternKey& key, std::shared_ptr<const RuleBlock> block);
  std::size_t bytes() const;

 private:
  struct Hash {
    std::size_t operator()(const PatternKey& key) const { return key.hash(); }
  };
  struct Entry {
    PatternKey key;
    std::shared_ptr<const RuleBlock> block;
    std::size_t bytes;
  };
  struct Shard {  // with a lock of its own, so that threads seldom wait
    mutable std::mutex mutex;
    std::list<Entry> entries;  // most recently used first
    std::unordered_map<PatternKey, std::list<Entry>::iterator, Hash> places;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t kShards = 16;

  Shard& shard_of(const PatternKey& key) { return shards_[key.hash() >> 60]; }

  std::size_t max_shard_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace demotic
