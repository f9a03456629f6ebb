// The words at the borders of a partial translation: what features of words where rules meet must
// remember of it.
#pragma once

#include <cstdint>

#include "corpus/vocab.hpp"

namespace demotic {

// Words as OutputWords numbers them, and the marks of the sentence.
constexpr WordId kNoBorder = ~0u, kSentenceBegin = ~0u - 1, kSentenceEnd = ~0u - 2;

// The first and the last word of a piece; kNoBorder: it has no words.
struct BorderWords {
  WordId first = kNoBorder, last = kNoBorder;

  bool empty() const { return first == kNoBorder; }
  std::uint64_t bits() const { return std::uint64_t{first} << 32 | last; }
  bool operator==(const BorderWords&) const = default;
};

}  // namespace demotic
