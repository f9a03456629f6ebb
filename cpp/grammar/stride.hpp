// The order in which the occurrences of something frequent are visited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace demotic {

// A tour of 0 .. size-1 in steps of about the golden ratio: wherever it is cut off, what has been
// visited is spread evenly.
class Stride {
 public:
  explicit Stride(std::uint32_t size)
      : size_(size),
        step_(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(size * 0.6180339887498949))) {
    while (std::gcd(step_, size_) != 1) ++step_;
  }
  std::uint32_t next() {
    const std::uint32_t place = place_;
    place_ = size_ - place_ > step_ ? place_ + step_ : place_ - (size_ - step_);
    return place;
  }
  // When the tour comes to a place, counted from 0: the inverse of k -> k * step modulo size, by
  // Euclid's algorithm.
  std::uint32_t rank_of(std::uint32_t place) const {
    std::int64_t remainder = size_, next = step_, factor = 0, next_factor = 1;
    while (next != 0) {
      const std::int64_t quotient = remainder / next;
      remainder = std::exchange(next, remainder - quotient * next);
      factor = std::exchange(next_factor, factor - quotient * next_factor);
    }
    const auto inverse = static_cast<std::uint64_t>(factor < 0 ? factor + size_ : factor);
    return static_cast<std::uint32_t>(inverse * place % size_);
  }

 private:
  std::uint32_t size_, step_, place_ = 0;
};

}  // namespace demotic
