#include "decode/parser.hpp"

namespace demotic {

void Parser::reset(const SourceTrie& trie, std::span<const WordId> sentence, const Chart& chart) {
  trie_ = &trie;
  sentence_ = sentence;
  chart_ = &chart;
  waiting_.assign(sentence.size() * chart.max_span(), Waiting{});
  for_word_.clear();
  for_nonterminal_.clear();
}

// The active items of a span stand together: those of another span come only when this one is
// complete.
void Parser::open(std::uint32_t begin, std::uint32_t end) {
  Waiting& span = waiting_[index(begin, end)];
  span.word.begin = static_cast<std::uint32_t>(for_word_.size());
  span.nonterminal.begin = static_cast<std::uint32_t>(for_nonterminal_.size());
}

void Parser::close(std::uint32_t begin, std::uint32_t end) {
  Waiting& span = waiting_[index(begin, end)];
  span.word.end = static_cast<std::uint32_t>(for_word_.size());
  span.nonterminal.end = static_cast<std::uint32_t>(for_nonterminal_.size());
}

}  // namespace demotic
