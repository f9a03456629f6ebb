// Numbers in few bytes, one after the other.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace demotic {

class PackedBytes {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void real(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(bits >> shift);
  }
  // A float that is a whole number, as a rule.
  void count(float value) {
    if (value >= 0 && value < kMaxCount && value == std::floor(value) && !std::signbit(value)) {
      number(2 * static_cast<std::uint64_t>(value));
    } else {
      number(1);
      real(value);
    }
  }

  // Bytes that a reader can pass over.
  void part(const std::string& bytes) {
    number(bytes.size());
    bytes_ += bytes;
  }

  std::string take() { return std::move(bytes_); }
  static constexpr float kMaxCount = 16777216;  // 2^24: whole numbers below it are exact

 private:
  std::string bytes_;
};

class PackedReader {
 public:
  explicit PackedReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      require(!rest_.empty(), "it is truncated");
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw_damaged("a number is too long");
  }
  // A number that must be below `end`.
  template <class T = std::uint32_t>
  T below(std::uint64_t end, const char* problem) {
    const std::uint64_t value = number();
    require(value < end, problem);
    return static_cast<T>(value);
  }
  // How many parts follow, each of at least one byte.
  std::size_t size() {
    return below<std::size_t>(rest_.size() + 1, "it has fewer parts than it says");
  }
  float real() {
    require(rest_.size() >= 4, "it is truncated");
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i)
      bits |= std::uint32_t{static_cast<unsigned char>(rest_[static_cast<std::size_t>(i)])}
              << 8 * i;
    rest_.remove_prefix(4);
    return std::bit_cast<float>(bits);
  }
  float count() {
    const std::uint64_t value = number();
    if (value == 1) return real();
    require(value % 2 == 0 && value / 2 < PackedBytes::kMaxCount, "a count is impossible");
    return static_cast<float>(value / 2);
  }
  std::string_view part() {
    const std::size_t length = size();
    const std::string_view bytes = rest_.substr(0, length);
    rest_.remove_prefix(bytes.size());
    return bytes;
  }
  void finish() const { require(rest_.empty(), "bytes are left over"); }

  static void require(bool holds, const char* problem) {
    if (!holds) throw_damaged(problem);
  }
  [[noreturn]] static void throw_damaged(const char* problem) {
    throw Error(std::string("a packed hypergraph is damaged: ") + problem,
                "delete the file that it is kept in");
  }

 private:
  std::string_view rest_;
};

}  // namespace demotic
