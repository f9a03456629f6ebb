#include "grammar/pattern_cache.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "base/prefetch.hpp"

namespace demotic {
std::uint64_t PatternKey::hash() const {
  std::uint64_t hash = mask + length;
  for (std::size_t i = 0; i < length; i += 2)
    hash = mix(hash ^ (std::uint64_t{static_cast<std::uint32_t>(symbols[i])} << 32 |
                       (i + 1 < length ? static_cast<std::uint32_t>(symbols[i + 1]) : 0)));
  return hash;
}

std::shared_ptr<const void> PatternCache::find_any(const PatternKey& key) {
  const std::uint64_t hash = key.hash();
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  Entry* const entry = shard.table.empty() ? nullptr : &shard.table[shard.slot_of(hash, key)];
  if (entry == nullptr || entry->value == nullptr) {
    ++shard.use.misses;
    return nullptr;
  }
  ++shard.use.hits;
  entry->used = true;
  return entry->value;
}

void PatternCache::prefetch(const PatternKey& key) const {
  const std::uint64_t hash = key.hash();
  const Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  if (!shard.table.empty()) demotic::prefetch(&shard.table[hash & (shard.table.size() - 1)]);
}

void PatternCache::insert(const PatternKey& key, std::shared_ptr<const void> value,
                          std::size_t bytes) {
  const std::uint64_t hash = key.hash();
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  if (2 * (shard.entries + 1) > shard.table.size()) {
    // The table may take half of the memory; when it is full, something goes for everything that
    // comes.
    const std::size_t grown = std::max<std::size_t>(16, 2 * shard.table.size());
    if (2 * grown * sizeof(Entry) <= max_shard_bytes_)
      shard.grow(grown);
    else if (shard.entries > 0)
      shard.evict_one();
    if (shard.table.empty()) return;
  }
  if (bytes + shard.table.size() * sizeof(Entry) > max_shard_bytes_) return;
  while (shard.bytes() + bytes > max_shard_bytes_) shard.evict_one();

  Entry& entry = shard.table[shard.slot_of(hash, key)];
  if (entry.value != nullptr) return;  // another thread was faster; its value is the same
  entry = {hash, std::move(value), key, static_cast<std::uint32_t>(bytes), false};
  ++shard.entries;
  shard.value_bytes += bytes;
}

std::size_t PatternCache::bytes() const {
  std::size_t all = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    all += shard.bytes();
  }
  return all;
}

PatternCache::Use PatternCache::use() const {
  Use all;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    all.hits += shard.use.hits;
    all.misses += shard.use.misses;
  }
  return all;
}

std::size_t PatternCache::Shard::slot_of(std::uint64_t hash, const PatternKey& key) const {
  const std::size_t last = table.size() - 1;
  std::size_t slot = hash & last;
  while (table[slot].value != nullptr && (table[slot].hash != hash || !(table[slot].key == key)))
    slot = (slot + 1) & last;
  return slot;
}

void PatternCache::Shard::grow(std::size_t size) {
  std::vector<Entry> old = std::exchange(table, std::vector<Entry>(size));
  for (Entry& entry : old)
    if (entry.value != nullptr) table[slot_of(entry.hash, entry.key)] = std::move(entry);
  hand = 0;
}

// The hand goes round: what was used since it last came by gets a second chance.
void PatternCache::Shard::evict_one() {
  for (;; hand = (hand + 1) & (table.size() - 1)) {
    if (table[hand].value == nullptr) continue;
    if (!std::exchange(table[hand].used, false)) return erase(hand);
  }
}

// Closes the hole, so that everything behind it is still found from where its hash says.
void PatternCache::Shard::erase(std::size_t hole) {
  value_bytes -= table[hole].bytes;
  --entries;
  const std::size_t last = table.size() - 1;
  for (std::size_t slot = (hole + 1) & last; table[slot].value != nullptr;
       slot = (slot + 1) & last) {
    const std::size_t home = table[slot].hash & last;
    if (((slot - home) & last) < ((slot - hole) & last))
      continue;  // it stands between its home and the hole
    table[hole] = std::move(table[slot]);
    hole = slot;
  }
  table[hole] = {};
}

}  // namespace demotic
