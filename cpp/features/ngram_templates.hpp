// N-grams of consecutive symbols inside a rule, whose edges <r> and </r> count as symbols.
//   X -> X1 hat mir X2 versprochen, X1 promised me X2
//   src_ngram:<r>_[X]  src_ngram:[X]_hat  src_ngram:hat_mir ...   nonterminals without number, as
//   in
//                                                                 cdec
//   tgt_ngram:promised_me                                         windows without nonterminals
//   tgt_gap:<r>_[1]  tgt_gap:[1]_promised  tgt_gap:me_[2] ...     windows with at least one
// In word classes: class_src_ngram:50:[X]_<9>.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "features/spelling.hpp"

namespace demotic {

struct NGramOrders {
  int least = 2, most = 2;
};

// Calls visit(begin, end) for every window of n symbols; -1 and `length` are the rule's edges. A
// window of edges alone is none.
template <class Visit>
void for_each_window(int length, NGramOrders orders, Visit visit) {
  if (length == 0) return;
  for (int n = orders.least; n <= orders.most; ++n) {
    const int edge = n == 1 ? 0 : 1;
    for (int begin = -edge; begin + n <= length + edge; ++begin) visit(begin, begin + n);
  }
}

// Writes the name of a window; symbol(s, first) writes a word or a nonterminal.
template <class Writer, class WriteSymbol>
void write_window(const NameText& prefix, const RuleView& rule, std::span<const Symbol> symbols,
                  int begin, int end, Writer& out, WriteSymbol symbol) {
  out.begin(prefix);
  for (int i = begin; i < end; ++i) {
    if (i < 0)
      out.symbol(rule.context.rule_begin, true);
    else if (static_cast<std::size_t>(i) == symbols.size())
      out.symbol(rule.context.rule_end, i == begin);
    else
      symbol(symbols[static_cast<std::size_t>(i)], i == begin);
  }
  out.end(1);
}

template <class Spelling>
struct SourceNGrams {
  static constexpr bool kSourceOnly = true;
  NamePrefix prefix;
  Spelling spelling;
  NGramOrders orders;

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    const auto symbols = rule.source();
    for_each_window(static_cast<int>(symbols.size()), orders, [&](int begin, int end) {
      write_window(prefix, rule, symbols, begin, end, out, [&](Symbol symbol, bool first) {
        symbol < 0 ? out.symbol(rule.gap(symbol), first)
                   : spelling.source(rule, symbol, first, out);
      });
    });
  }
};

enum class TargetWindows { kWithoutGaps, kWithGaps };

template <TargetWindows kWindows, class Spelling>
struct TargetNGrams {
  static constexpr bool kSourceOnly = false;
  NamePrefix prefix;
  Spelling spelling;
  NGramOrders orders;

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    const auto symbols = rule.target();
    for_each_window(static_cast<int>(symbols.size()), orders, [&](int begin, int end) {
      if (has_gap(symbols, begin, end) != (kWindows == TargetWindows::kWithGaps)) return;
      write_window(prefix, rule, symbols, begin, end, out, [&](Symbol symbol, bool first) {
        symbol < 0 ? out.symbol(rule.nonterminal(symbol), first)
                   : spelling.target(rule, symbol, first, out);
      });
    });
  }

 private:
  static bool has_gap(std::span<const Symbol> symbols, int begin, int end) {
    const auto first = static_cast<std::size_t>(std::max(begin, 0)),
               last = std::min(static_cast<std::size_t>(end), symbols.size());
    return std::ranges::any_of(symbols.subspan(first, last - first),
                               [](Symbol symbol) { return symbol < 0; });
  }
};

}  // namespace demotic
