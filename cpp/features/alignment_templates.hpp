// Features of the word alignment inside a rule.
//   X -> X1 hat mir X2 versprochen, X1 promised me X2, aligned 2-2 4-1
//     word_pair:mir|me  word_pair:versprochen|promised  word_pair:hat|  (nothing stands for `hat`;
//     an insertion is word_pair:|e)
//     fertility:mir|1  fertility:versprochen|1  fertility:hat|0
//     unaligned:1|0
// A rule without any link has no alignment (extraction aligns every rule that has words), and no
// such features.
#pragma once

#include <bitset>
#include <span>

#include "features/spelling.hpp"

namespace demotic {

// The words that have links to words.
struct AlignedWords {
  explicit AlignedWords(const RuleView& rule) {
    for (const RuleLink link : rule.links()) {
      if (rule.source()[link.source] < 0 || rule.target()[link.target] < 0) continue;
      source.set(link.source);
      target.set(link.target);
    }
  }
  std::bitset<256> source, target;

  // Calls visit(word) for those that have none.
  template <class Visit>
  static void for_each_other(std::span<const Symbol> symbols, const std::bitset<256>& aligned,
                             Visit visit) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i] >= 0 && !aligned[i]) visit(symbols[i]);
  }
};

// Pairs of words that are linked, as word|word. Shared by the templates below.
template <class Source, class Target, class Writer>
void write_links(const NameText& prefix, const RuleView& rule, const Source& source_words,
                 const Target& target_words, Writer& out) {
  const auto source = rule.source(), target = rule.target();
  for (const RuleLink link : rule.links()) {
    if (source[link.source] < 0 || target[link.target] < 0) continue;
    out.begin(prefix);
    source_words.source(rule, source[link.source], true, out);
    out.text(kBar);
    target_words.target(rule, target[link.target], true, out);
    out.end(1);
  }
}

// Aligned words and, as word| and |word, those that are not: deletions and insertions.
template <class Spelling>
struct WordPairs {
  static constexpr bool kSourceOnly = false;
  NamePrefix prefix;
  Spelling spelling;

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    if (rule.links().empty()) return;
    write_links(prefix, rule, spelling, spelling, out);
    const AlignedWords aligned(rule);
    AlignedWords::for_each_other(rule.source(), aligned.source, [&](Symbol word) {
      out.begin(prefix);
      spelling.source(rule, word, true, out);
      out.text(kBar);
      out.end(1);
    });
    AlignedWords::for_each_other(rule.target(), aligned.target, [&](Symbol word) {
      out.begin(prefix);
      out.text(kBar);
      spelling.target(rule, word, true, out);
      out.end(1);
    });
  }
};

// Aligned words, one of them as its class: word|<class> and <class>|word.
struct WordClassPairs {
  static constexpr bool kSourceOnly = false;
  NamePrefix prefix;
  ClassSpelling classes;

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    write_links(prefix, rule, WordSpelling{}, classes, out);
    write_links(prefix, rule, classes, WordSpelling{}, out);
  }
};

// Each source word with the number of target words that it is linked to.
template <class Spelling>
struct Fertility {
  static constexpr bool kSourceOnly = false;
  NamePrefix prefix;
  Spelling spelling;

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    const auto source = rule.source(), target = rule.target();
    if (rule.links().empty()) return;
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] < 0) continue;
      unsigned links = 0;
      for (const RuleLink link : rule.links())
        links += link.source == i && target[link.target] >= 0;
      out.begin(prefix);
      spelling.source(rule, source[i], true, out);
      out.text(kBar);
      out.number(links);
      out.end(1);
    }
  }
};

// How many words have no link, on the source side and on the target side.
struct UnalignedWords {
  static constexpr bool kSourceOnly = false;
  static constexpr NameText kPrefix{"unaligned:"};

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    if (rule.links().empty()) return;
    const AlignedWords aligned(rule);
    unsigned source = 0, target = 0;
    AlignedWords::for_each_other(rule.source(), aligned.source, [&](Symbol) { ++source; });
    AlignedWords::for_each_other(rule.target(), aligned.target, [&](Symbol) { ++target; });
    out.begin(kPrefix);
    out.number(source);
    out.text(kBar);
    out.number(target);
    out.end(1);
  }
};

}  // namespace demotic
