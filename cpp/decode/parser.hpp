// Which source sides match which spans: a chart parser that walks the trie of source sides along
// the sentence (CKY+).
//
// An active item is a node of the trie reached by reading words and nonterminals from `begin` to
// `end`. Spans are visited by rising end, then falling begin: when (begin, end) is reached, all
// smaller spans inside it are complete.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decode/chart.hpp"
#include "decode/source_trie.hpp"

namespace demotic {

constexpr WordId kNoWord = ~0u;  // a word that no source side has

class Parser {
 public:
  // All of them must outlive the parse.
  void reset(const SourceTrie& trie, std::span<const WordId> sentence, const Chart& chart);

  // Calls found(side, children) for every source side of two or more symbols, or of one word, that
  // matches the span.
  template <class Found>
  void match(std::uint32_t begin, std::uint32_t end, Found found);

  // To be called when the cell of a label is complete and not empty: from now on it can be a
  // nonterminal of larger spans. Calls found(side, children) for source sides that consist of this
  // nonterminal alone.
  template <class Found>
  void complete(std::uint32_t begin, std::uint32_t end, std::uint32_t label, Found found);

 private:
  struct Active {
    SourceTrie::Node node;
    std::uint32_t nonterminals;
    CellId children[2];
  };
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  // Per span the active items that wait for a word, and those that wait for a nonterminal.
  struct Waiting {
    Range word, nonterminal;
  };
  std::size_t index(std::uint32_t begin, std::uint32_t end) const {
    return std::size_t{begin} * chart_->max_span() + (end - begin) - 1;
  }

  template <class Found>
  void reach(SourceTrie::Node node, const Active& from, CellId child, Found& found);
  void open(std::uint32_t begin, std::uint32_t end);
  void close(std::uint32_t begin, std::uint32_t end);

  const SourceTrie* trie_ = nullptr;
  std::span<const WordId> sentence_;
  const Chart* chart_ = nullptr;
  std::vector<Waiting> waiting_;
  std::vector<Active> for_word_, for_nonterminal_;
};

template <class Found>
void Parser::reach(SourceTrie::Node node, const Active& from, CellId child, Found& found) {
  if (node == SourceTrie::kNone) return;
  Active active{node, from.nonterminals, {from.children[0], from.children[1]}};
  if (child != kNone) active.children[active.nonterminals++] = child;
  for (std::uint32_t side = trie_->first_side(node); side != SourceTrie::kNoSide;
       side = trie_->next_side(side))
    found(side, active.children);
  if (trie_->has_words(node)) for_word_.push_back(active);
  if (trie_->has_nonterminals(node)) for_nonterminal_.push_back(active);
}

template <class Found>
void Parser::match(std::uint32_t begin, std::uint32_t end, Found found) {
  open(begin, end);
  const Active root{SourceTrie::kRoot, 0, {kNone, kNone}};
  const WordId last = sentence_[end - 1];
  if (last != kNoWord) {
    if (end - begin == 1) {
      reach(trie_->word(SourceTrie::kRoot, last), root, kNone, found);
    } else {
      const Range range = waiting_[index(begin, end - 1)].word;
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const Active from = for_word_[i];  // a copy: the vector grows
        reach(trie_->word(from.node, last), from, kNone, found);
      }
    }
  }
  for (std::uint32_t middle = begin + 1; middle < end; ++middle) {
    const Range range = waiting_[index(begin, middle)].nonterminal;
    if (range.begin == range.end) continue;
    for (std::uint32_t label = 0; label < chart_->labels(); ++label) {
      const CellId child = chart_->cell_id(middle, end, label);
      if (chart_->cell(child).count == 0) continue;
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const Active from = for_nonterminal_[i];
        reach(trie_->nonterminal(from.node, label), from, child, found);
      }
    }
  }
  close(begin, end);
}

template <class Found>
void Parser::complete(std::uint32_t begin, std::uint32_t end, std::uint32_t label, Found found) {
  const Active root{SourceTrie::kRoot, 0, {kNone, kNone}};
  reach(trie_->nonterminal(SourceTrie::kRoot, label), root, chart_->cell_id(begin, end, label),
        found);
  close(begin, end);
}

}  // namespace demotic
