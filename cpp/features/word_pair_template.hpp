// Word pairs that are aligned inside a rule, and the words that are not: deletions and insertions.
//   X -> X1 hat mir X2 versprochen, X1 promised me X2, aligned 2-2 4-1
//     word_pair:mir|me  word_pair:versprochen|promised  word_pair:hat|  (nothing stands for `hat`;
//     an insertion is word_pair:|e)
// A rule without any link has no alignment (extraction aligns every rule that has words), and no
// such features.
#pragma once

#include <bitset>

#include "features/name_writer.hpp"

namespace demotic {

struct WordPairs {
  static constexpr bool kSourceOnly = false;
  static constexpr NameText kPrefix{"word_pair:"};

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    const auto source = rule.source(), target = rule.target();
    if (rule.links().empty()) return;
    std::bitset<256> source_aligned, target_aligned;
    for (const RuleLink link : rule.links()) {
      if (source[link.source] < 0 || target[link.target] < 0) continue;
      source_aligned.set(link.source);
      target_aligned.set(link.target);
      out.begin(kPrefix);
      out.source_word(source[link.source]);
      out.text(kBar);
      out.target_word(target[link.target]);
      out.end(1);
    }
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] < 0 || source_aligned[i]) continue;
      out.begin(kPrefix);
      out.source_word(source[i]);
      out.text(kBar);
      out.end(1);
    }
    for (std::size_t i = 0; i < target.size(); ++i) {
      if (target[i] < 0 || target_aligned[i]) continue;
      out.begin(kPrefix);
      out.text(kBar);
      out.target_word(target[i]);
      out.end(1);
    }
  }
};

}  // namespace demotic
