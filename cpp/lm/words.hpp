// The three words that every model has, with the ids that every model gives them.
#pragma once

#include <string_view>

#include "corpus/vocab.hpp"

namespace demotic {

constexpr WordId kUnknown = 0, kBegin = 1, kEnd = 2;
constexpr std::string_view kUnknownWord = "<unk>", kBeginWord = "<s>", kEndWord = "</s>";

// A vocabulary that holds these three and nothing else.
inline Vocab special_words() {
  Vocab vocab;
  for (const std::string_view word : {kUnknownWord, kBeginWord, kEndWord}) vocab.add(word);
  return vocab;
}

// Orders above this are refused: lengths of n-grams are stored in one byte.
constexpr unsigned kMaxOrder = 255;

}  // namespace demotic
