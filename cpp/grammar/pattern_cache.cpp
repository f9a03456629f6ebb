#include "grammar/pattern_cache.hpp"

#include "base/hash.hpp"

namespace demotic {
namespace {

constexpr std::size_t kOverhead = 200;  // bytes that an entry costs besides its block: nodes of list and table, key, control block

}  // namespace

std::uint64_t PatternKey::hash() const {
  std::uint64_t hash = std::uint64_t{mask} << 8 | length;
  for (std::size_t i = 0; i < length; i += 2)
    hash = mix(hash ^ (std::uint64_t{static_cast<std::uint32_t>(symbols[i])} << 32 | (i + 1 < length ? static_cast<std::uint32_t>(symbols[i + 1]) : 0)));
  return hash;
}

std::shared_ptr<const RuleBlock> PatternCache::find(const PatternKey& key) {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.places.find(key);
  if (found == shard.places.end()) return nullptr;
  shard.entries.splice(shard.entries.begin(), shard.entries, found->second);
  return found->second->block;
}

void PatternCache::insert(const PatternKey& key, std::shared_ptr<const RuleBlock> block) {
  const std::size_t bytes = block->bytes() + kOverhead;
  if (bytes > max_shard_bytes_) return;
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  if (shard.places.contains(key)) return;  // another thread was faster; its block is the same
  shard.entries.push_front({key, std::move(block), bytes});
  shard.places.emplace(key, shard.entries.begin());
  shard.bytes += bytes;
  for (; shard.bytes > max_shard_bytes_; shard.entries.pop_back()) {
    shard.bytes -= shard.entries.back().bytes;
    shard.places.erase(shard.entries.back().key);
  }
}

std::size_t PatternCache::bytes() const {
  std::size_t all = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    all += shard.bytes;
  }
  return all;
}

}  // namespace demotic
