#include "grammar/sentence_filter.hpp"

#include <algorithm>
#include <utility>

#include "grammar/grammar_selection.hpp"

namespace demotic {

SentenceFilter::SentenceFilter(std::shared_ptr<const Grammar> grammar)
    : grammar_(std::move(grammar)) {
  const std::size_t words = grammar_->source_vocab->size();
  std::vector<std::uint32_t> frequency(words, 0);
  const auto for_each_side = [this](auto visit) {
    for (std::uint32_t b = 0; b < grammar_->blocks.size(); ++b)
      for (std::uint32_t s = 0; s < grammar_->blocks[b]->sides.size(); ++s)
        visit(Side{b, s}, grammar_->blocks[b]->source(grammar_->blocks[b]->sides[s]));
  };
  for_each_side([&](Side, std::span<const Symbol> symbols) {
    for (const Symbol symbol : symbols)
      if (symbol >= 0) ++frequency[static_cast<std::size_t>(symbol)];
  });
  const auto rarest = [&](std::span<const Symbol> symbols) {
    return *std::ranges::min_element(symbols, {}, [&](Symbol symbol) {
      return symbol < 0 ? ~0u : frequency[static_cast<std::size_t>(symbol)];
    });
  };
  begins_.assign(words + 1, 0);
  for_each_side([&](Side side, std::span<const Symbol> symbols) {
    if (const Symbol word = rarest(symbols); word >= 0)
      ++begins_[static_cast<std::size_t>(word) + 1];
    else
      wordless_.push_back(side);
  });
  for (std::size_t word = 0; word < words; ++word) begins_[word + 1] += begins_[word];
  sides_.resize(begins_.back());
  std::vector<std::uint32_t> next = begins_;
  for_each_side([&](Side side, std::span<const Symbol> symbols) {
    if (const Symbol word = rarest(symbols); word >= 0)
      sides_[next[static_cast<std::size_t>(word)]++] = side;
  });
}

Grammar SentenceFilter::matching(std::span<const std::string> sentence) const {
  std::vector<bool> occurs(grammar_->source_vocab->size(), false);
  std::vector<Side> found = wordless_;
  for (const std::string& word : sentence)
    if (const auto id = grammar_->source_vocab->find(word)) occurs[*id] = true;
  const auto fits = [&](Side side) {
    const RuleBlock& block = *grammar_->blocks[side.block];
    return std::ranges::all_of(block.source(block.sides[side.side]), [&](Symbol symbol) {
      return symbol < 0 || occurs[static_cast<std::size_t>(symbol)];
    });
  };
  for (const std::string& word : sentence) {
    const auto id = grammar_->source_vocab->find(word);
    if (!id) continue;
    std::copy_if(sides_.begin() + begins_[*id], sides_.begin() + begins_[*id + 1],
                 std::back_inserter(found), fits);
  }
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);  // of words that come twice
  found.erase(repeated.begin(), repeated.end());
  GrammarSelection selection(*grammar_);
  for (const Side side : found)
    selection.add(*grammar_->blocks[side.block], grammar_->blocks[side.block]->sides[side.side]);
  return selection.finish();
}

}  // namespace demotic
