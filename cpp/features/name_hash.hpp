// Fingerprints of feature names that compose: the fingerprint of a concatenation follows from those
// of its parts, so the name of a rule's feature is fingerprinted from its words, which were hashed
// once, and never built as a string.
//
// A name is read as the digits (byte + 1) of a number in two fixed bases, modulo the prime 2^61
// - 1. Two different names of at most L bytes agree in both residues with probability of about (L /
// 2^61)^2: for 10^8 names of 100 bytes the chance that any two share a fingerprint is below 10^-16.
#pragma once

#include <cstdint>
#include <string_view>

namespace demotic {

// 122 bits that stand for a name.
struct Fingerprint {
  std::uint64_t first = 0, second = 0;  // residues, each below 2^61 - 1; both 0: the empty name
  bool operator==(const Fingerprint&) const = default;
};

namespace name_hash {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
// Two arbitrary numbers below the prime. Every weights file and index in memory depends on them
// only through equality.
constexpr std::uint64_t kFirstBase = 0x0b3c5a1f92d46e87, kSecondBase = 0x15e9d07c4b28f361;

// a * b + c for residues. 2^61 is 1 modulo the prime, so the high bits of a number are folded onto
// the low ones.
constexpr std::uint64_t multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  const std::uint64_t sum = (static_cast<std::uint64_t>(product) & kPrime) +
                            static_cast<std::uint64_t>(product >> 61) + c;  // below 2^63
  const std::uint64_t folded = (sum & kPrime) + (sum >> 61);
  return folded >= kPrime ? folded - kPrime : folded;
}

}  // namespace name_hash

// A part of a name, ready to be appended: its fingerprint, and the bases to the power of its
// length.
struct NameHash {
  Fingerprint print;
  std::uint64_t first_power = 1, second_power = 1;
  bool operator==(const NameHash&) const = default;
};

// The fingerprint of `left` followed by `right`.
constexpr Fingerprint append(const Fingerprint& left, const NameHash& right) {
  return {name_hash::multiply_add(left.first, right.first_power, right.print.first),
          name_hash::multiply_add(left.second, right.second_power, right.print.second)};
}

constexpr NameHash concatenate(const NameHash& left, const NameHash& right) {
  return {append(left.print, right),
          name_hash::multiply_add(left.first_power, right.first_power, 0),
          name_hash::multiply_add(left.second_power, right.second_power, 0)};
}

constexpr NameHash hash_name(std::string_view text) {
  NameHash hash;
  for (const char c : text) {
    const std::uint64_t digit = static_cast<unsigned char>(c) + std::uint64_t{1};
    hash = concatenate(hash, {{digit, digit}, name_hash::kFirstBase, name_hash::kSecondBase});
  }
  return hash;
}

constexpr Fingerprint fingerprint(std::string_view name) {
  using namespace name_hash;
  Fingerprint print;
  for (const char c : name) {
    const std::uint64_t digit = static_cast<unsigned char>(c) + std::uint64_t{1};
    print = {multiply_add(print.first, kFirstBase, digit),
             multiply_add(print.second, kSecondBase, digit)};
  }
  return print;
}

}  // namespace demotic
