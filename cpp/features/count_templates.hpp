// Features of numbers: how long a rule is, how often it was seen.
//   X -> X1 hat mir X2 versprochen, X1 promised me X2, seen three times    length:3|2 count_bin:3-4
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "features/name_writer.hpp"

namespace demotic {

// Words on the source side and on the target side, nonterminals aside (shapes count those).
struct RuleLength {
  static constexpr bool kSourceOnly = false;
  static constexpr NameText kPrefix{"length:"};

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    const auto words = [](std::span<const Symbol> symbols) {
      return static_cast<unsigned>(
          std::ranges::count_if(symbols, [](Symbol symbol) { return symbol >= 0; }));
    };
    out.begin(kPrefix);
    out.number(words(rule.source()));
    out.text(kBar);
    out.number(words(rule.target()));
    out.end(1);
  }
};

// c(f, e) in bins that end at powers of two: 0, 1, 2, 3-4, 5-8, 9-16, ...
struct CountBin {
  static constexpr bool kSourceOnly = false;
  static constexpr NameText kPrefix{"count_bin:"}, kTo{"-"};

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    const auto count = static_cast<std::uint32_t>(std::clamp(std::ceil(rule.count()), 0.0f, 1e9f));
    const std::uint32_t last = count == 0 ? 0 : std::bit_ceil(count);
    out.begin(kPrefix);
    if (last > 2) {
      out.number(last / 2 + 1);
      out.text(kTo);
    }
    out.number(last);
    out.end(1);
  }
};

}  // namespace demotic
