#include "decode/source_trie.hpp"

#include <algorithm>

namespace demotic {

void SourceTrie::clear() {
  nodes_.assign(1, NodeData{});
  next_.clear();
  table_.assign(std::max<std::size_t>(table_.size(), 1024), Slot{});
  used_ = 0;
}

void SourceTrie::add(const RuleBlock& block, const SourceSide& side, std::uint32_t number) {
  Node node = kRoot;
  for (const Symbol symbol : block.source(side)) node = child(node, symbol >= 0 ? symbol : label_symbol(side.children[static_cast<std::size_t>(-1 - symbol)]));
  if (next_.size() <= number) next_.resize(number + 1, kNoSide);
  next_[number] = nodes_[node].side;
  nodes_[node].side = number;
}

SourceTrie::Node SourceTrie::child(Node node, Symbol symbol) {
  std::size_t place = slot(key(node, symbol));
  if (table_[place].key == kEmpty) {
    if (2 * (used_ + 1) > table_.size()) {
      grow();
      place = slot(key(node, symbol));
    }
    ++used_;
    table_[place] = {key(node, symbol), static_cast<Node>(nodes_.size())};
    (symbol < 0 ? nodes_[node].has_nonterminals : nodes_[node].has_words) = true;
    nodes_.emplace_back();
  }
  return table_[place].child;
}

std::size_t SourceTrie::slot(std::uint64_t key) const {
  const std::size_t last = table_.size() - 1;
  std::size_t place = mix(key) & last;
  while (table_[place].key != kEmpty && table_[place].key != key) place = (place + 1) & last;
  return place;
}

void SourceTrie::grow() {
  std::vector<Slot> old(2 * table_.size());
  old.swap(table_);
  for (const Slot& entry : old)
    if (entry.key != kEmpty) table_[slot(entry.key)] = entry;
}

}  // namespace demotic
