#include "decode/source_trie.hpp"

namespace demotic {

void SourceTrie::clear() {
  nodes_.assign(1, NodeData{});
  next_.clear();
  children_.clear();
}

void SourceTrie::add(const RuleBlock& block, const SourceSide& side, std::uint32_t number) {
  Node node = kRoot;
  for (const Symbol symbol : block.source(side))
    node = child(node, symbol >= 0
                           ? symbol
                           : label_symbol(side.children[static_cast<std::size_t>(-1 - symbol)]));
  if (next_.size() <= number) next_.resize(number + 1, kNoSide);
  next_[number] = nodes_[node].side;
  nodes_[node].side = number;
}

SourceTrie::Node SourceTrie::child(Node node, Symbol symbol) {
  const auto [child, is_new] =
      children_.insert(key(node, symbol), static_cast<Node>(nodes_.size()));
  if (is_new) {
    (symbol < 0 ? nodes_[node].has_nonterminals : nodes_[node].has_words) = true;
    nodes_.emplace_back();
  }
  return *child;
}

}  // namespace demotic
