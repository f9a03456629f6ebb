// Rules as Python tuples of strings.
#pragma once

#include "grammar/grammar.hpp"
#include "module.hpp"

// The symbols of a side of a rule: words, and nonterminals as [X,1] and [X,2].
inline nb::tuple symbols_of(const demotic::Grammar& grammar, const demotic::SourceSide& side,
                            std::span<const demotic::Symbol> symbols, const demotic::Vocab& vocab) {
  nb::list words;
  for (const demotic::Symbol symbol : symbols) {
    if (symbol < 0) {
      const std::string text =
          "[" + grammar.labels[side.children[static_cast<std::size_t>(-1 - symbol)]] + "," +
          std::to_string(-symbol) + "]";
      words.append(nb::str(text.data(), text.size()));
    } else {
      const std::string_view word = vocab.word(static_cast<demotic::WordId>(symbol));
      words.append(nb::str(word.data(), word.size()));
    }
  }
  return nb::tuple(words);
}

inline nb::tuple alignment_of(std::span<const demotic::RuleLink> links) {
  nb::list alignment;
  for (const demotic::RuleLink link : links)
    alignment.append(nb::make_tuple(link.source, link.target));
  return nb::tuple(alignment);
}
