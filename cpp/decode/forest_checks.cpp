#include "decode/forest_checks.hpp"

#include <algorithm>

namespace demotic {
namespace {

// Nonterminals of a rule: those of its target side, whose number has been checked before. The goal
// of the empty sentence has nothing below it.
std::ptrdiff_t arity_of(const Forest& forest, const UsedRule& rule) {
  if (rule.kind == RuleKind::kGoal && forest.book->sentence().empty()) return 0;
  return std::ranges::count_if(rule.content.target, [](Symbol symbol) { return symbol < 0; });
}

}  // namespace

const char* problem_of(const Grammar& grammar, const RuleBlock& block, const SourceSide& side) {
  if (side.length == 0 || std::size_t{side.symbol_begin} + side.length > block.symbols.size())
    return "a source side lies outside the symbols";
  if (side.nonterminals > 2 || side.label >= grammar.labels.size())
    return "a source side has impossible labels";
  for (std::size_t i = 0; i < side.nonterminals; ++i)
    if (side.children[i] >= grammar.labels.size()) return "a source side has impossible labels";
  int seen = 0;
  for (const Symbol symbol : block.source(side)) {
    if (symbol < 0 && symbol != nonterminal(seen++))
      return "the nonterminals of a source side are not in order";
    if (symbol >= 0 && static_cast<std::size_t>(symbol) >= grammar.source_vocab->size())
      return "a source word is outside the vocabulary";
  }
  return seen == side.nonterminals ? nullptr : "a source side has another number of nonterminals";
}

const char* problem_of(const Grammar& grammar, const RuleBlock& block, const SourceSide& side,
                       const Rule& rule) {
  if (std::size_t{rule.target_begin} + rule.target_length > block.symbols.size() ||
      std::size_t{rule.link_begin} + rule.link_count > block.links.size())
    return "a rule lies outside the symbols";
  std::array<int, 2> seen = {0, 0};
  for (const Symbol symbol : block.target(rule)) {
    if (symbol >= 0) {
      if (static_cast<std::size_t>(symbol) >= grammar.target_vocab->size())
        return "a target word is outside the vocabulary";
    } else {
      if (symbol != nonterminal(0) && symbol != nonterminal(1))
        return "a rule has impossible nonterminals";
      ++seen[symbol == nonterminal(0) ? 0 : 1];
    }
  }
  for (int i = 0; i < 2; ++i)
    if (seen[static_cast<std::size_t>(i)] != (i < side.nonterminals))
      return "a rule has impossible nonterminals";
  for (const RuleLink link : block.alignment(rule))
    if (link.source >= side.length || link.target >= rule.target_length)
      return "an alignment link is outside its rule";
  return nullptr;
}

const char* problem_of(const Forest& forest, NodeId node, const HyperEdge& edge) {
  if (edge.head != node || edge.rule >= forest.rules.size() || !is_score(edge.lm))
    return "an edge is impossible";
  if (edge.tails[0] == kNone && edge.tails[1] != kNone)
    return "an edge has a second tail without a first";
  if (Forest::arity(edge) != arity_of(forest, forest.rules[edge.rule]))
    return "an edge has another number of tails than its rule has nonterminals";
  std::uint16_t covered = forest.nodes[node].begin;
  for (const NodeId tail : edge.tails) {
    if (tail == kNone) continue;
    if (tail >= node) return "a tail comes behind its head";
    const HyperNode& child = forest.nodes[tail];
    if (child.begin < covered || child.begin >= child.end || child.end > forest.nodes[node].end)
      return "the tails of an edge do not fit its span";
    covered = child.end;
  }
  return nullptr;
}

}  // namespace demotic
