// A stream of random numbers that is the same on every machine: splitmix64.
#pragma once

#include <cstdint>

#include "base/hash.hpp"

namespace demotic {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mix(seed)) {}
  // One of many streams of one seed, all independent: task `stream` draws the same numbers whatever
  // thread runs it.
  Random(std::uint64_t seed, std::uint64_t stream) : state_(mix(mix(seed) ^ mix(~stream))) {}

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15ull); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }  // in [0, 1)
  // In [0, n), for n far below 2^32: the deviation from uniform is n / 2^32.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((bits() >> 32) * n >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace demotic
