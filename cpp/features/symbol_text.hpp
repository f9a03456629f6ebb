// A symbol of names that is not a word.
#pragma once

#include <string>
#include <utility>

#include "features/word_hashes.hpp"

namespace demotic {

struct SymbolText {
  explicit SymbolText(std::string symbol) : text(std::move(symbol)), hash(text) {}
  std::string text;
  SymbolHash hash;
};

}  // namespace demotic
