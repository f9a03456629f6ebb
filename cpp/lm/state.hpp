// What a language model must remember of a piece of translation: plain values, compared and hashed
// as numbers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/hash.hpp"

namespace demotic {

// An n-gram of a model, shorter than its order. 0 is the empty n-gram. Also the *right state*: the
// longest end of what has been read that can still matter to words that follow. Two histories with
// the same right state have the same future.
using NgramId = std::uint32_t;
constexpr NgramId kEmptyNgram = 0;

// The *left state* of a piece: its longest beginning whose words can still change their probability
// when something is put before it. `full` says that the piece goes on after these words; else they
// are the whole piece (Li and Khudanpur 2008).
class LeftState {
 public:
  constexpr LeftState() = default;
  constexpr LeftState(NgramId ngram, bool full) : bits_(ngram | (full ? kFullBit : 0)) {}

  constexpr NgramId ngram() const { return bits_ & ~kFullBit; }
  constexpr bool full() const { return (bits_ & kFullBit) != 0; }
  constexpr std::uint32_t bits() const { return bits_; }
  constexpr auto operator<=>(const LeftState&) const = default;

 private:
  static constexpr std::uint32_t kFullBit = 1u << 31;
  std::uint32_t bits_ = 0;
};

// Left and right state of a piece. Pieces with the same state are interchangeable whatever stands
// around them. ChartState{} is that of the empty piece.
struct ChartState {
  LeftState left;
  NgramId right = kEmptyNgram;

  constexpr std::uint64_t bits() const { return (std::uint64_t{left.bits()} << 32) | right; }
  constexpr auto operator<=>(const ChartState&) const = default;
};

}  // namespace demotic

template <>
struct std::hash<demotic::ChartState> {
  std::size_t operator()(const demotic::ChartState& state) const noexcept {
    return demotic::mix(state.bits());
  }
};
