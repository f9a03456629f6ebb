// Hash functions that are the same on every machine and in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace demotic {

// Finalizer of splitmix64 (Steele, Lea and Flood 2014): every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// The first `bits` bits of a number's product with 2^64 / golden ratio (Knuth 6.4): a quick place
// in a table for keys that are not out to collide.
constexpr std::size_t quick_slot(std::uint64_t key, int bits) {
  return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ull) >> (64 - bits));
}

inline std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = bytes.size();
  const char* data = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; data += 8, left -= 8) {
    std::uint64_t block;
    std::memcpy(&block, data, 8);
    hash = mix(hash ^ block);
  }
  std::uint64_t tail = 0;
  if (left > 0) std::memcpy(&tail, data, left);
  return mix(hash ^ tail);
}

}  // namespace demotic
