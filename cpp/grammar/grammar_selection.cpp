#include "grammar/grammar_selection.hpp"

#include <utility>

namespace demotic {
namespace {

// Appends values and returns where they begin.
template <class T>
std::uint32_t append(std::vector<T>& out, std::span<const T> values) {
  const auto begin = static_cast<std::uint32_t>(out.size());
  out.insert(out.end(), values.begin(), values.end());
  return begin;
}

}  // namespace

void GrammarSelection::add(const RuleBlock& block, const SourceSide& side, std::uint32_t number) {
  if (&side != last_) {
    last_ = &side;
    SourceSide& copy = block_->sides.emplace_back(side);
    copy.symbol_begin = append(block_->symbols, block.source(side));
    copy.rule_begin = copy.rule_end = static_cast<std::uint32_t>(block_->rules.size());
  }
  Rule rule = block.rules[number];
  rule.target_begin = append(block_->symbols, block.target(rule));
  rule.link_begin = append(block_->links, block.alignment(block.rules[number]));
  block_->rules.push_back(rule);
  if (!block.statistics.empty()) block_->statistics.push_back(block.statistics[number]);
  const std::size_t width = grammar_.feature_names->size();
  append(block_->features, std::span(block.features).subspan(number * width, width));
  ++block_->sides.back().rule_end;
}

void GrammarSelection::add(const RuleBlock& block, const SourceSide& side) {
  for (std::uint32_t rule = side.rule_begin; rule < side.rule_end; ++rule) add(block, side, rule);
}

Grammar GrammarSelection::finish() {
  Grammar selected{
      grammar_.source_vocab, grammar_.target_vocab, grammar_.feature_names, {}, grammar_.labels};
  if (!block_->rules.empty()) selected.blocks.push_back(std::move(block_));
  return selected;
}

}  // namespace demotic
