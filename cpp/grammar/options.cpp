#include "grammar/options.hpp"

#include <string>

#include "base/error.hpp"
#include "grammar/sentence_record.hpp"

namespace demotic {
namespace {

void check_range(const char* name, int value, int low, int high) {
  if (value < low || value > high)
    throw range_error(name, "from " + std::to_string(low) + " to " + std::to_string(high), value);
}

}  // namespace

void ExtractOptions::check() const {
  check_range("max_span", max_span, 1, kMaxSpan);
  check_range("max_symbols", max_symbols, 1, kMaxSymbols);
  check_range("max_nonterminals", max_nonterminals, 0, 2);
  check_range("min_gap", min_gap, 1, kMaxSpan);
}

}  // namespace demotic
