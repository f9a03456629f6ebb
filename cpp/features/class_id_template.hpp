// Rule identity in word classes: rules that differ in words of the same classes share a feature.
//   X -> X1 hat mir X2 versprochen, X1 promised me X2
//   class_id:50:[1]_<9>_<31>_[2]_<12>|[1]_<40>_<7>_[2]
#pragma once

#include <span>

#include "features/spelling.hpp"

namespace demotic {

struct ClassIdentity {
  static constexpr bool kSourceOnly = false;
  NamePrefix prefix;
  ClassSpelling classes;

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    out.begin(prefix);
    if (!rule.left_side().is_default) {
      out.symbol(rule.left_side().plain, true);
      out.text(kBar);
    }
    write_side(rule, rule.source(), out,
               [&](Symbol word, bool first) { classes.source(rule, word, first, out); });
    out.text(kBar);
    write_side(rule, rule.target(), out,
               [&](Symbol word, bool first) { classes.target(rule, word, first, out); });
    out.end(1);
  }

 private:
  template <class Writer, class WriteWord>
  static void write_side(const RuleView& rule, std::span<const Symbol> symbols, Writer& out,
                         WriteWord word) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i] < 0)
        out.symbol(rule.nonterminal(symbols[i]), i == 0);
      else
        word(symbols[i], i == 0);
  }
};

}  // namespace demotic
