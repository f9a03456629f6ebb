// The source sides of a grammar as a trie: the parser walks it along the sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/probe_table.hpp"
#include "grammar/grammar.hpp"

namespace demotic {

class SourceTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNone = ~0u;
  static constexpr std::uint32_t kNoSide = ~0u;

  // A new, empty trie; keeps its memory.
  void clear();
  // Side number `number` ends at the node of its symbols. Several sides may end at one node.
  void add(const RuleBlock& block, const SourceSide& side, std::uint32_t number);

  Node word(Node node, WordId word) const { return find(node, static_cast<Symbol>(word)); }
  Node nonterminal(Node node, std::uint32_t label) const { return find(node, label_symbol(label)); }
  bool has_words(Node node) const { return nodes_[node].has_words; }
  bool has_nonterminals(Node node) const { return nodes_[node].has_nonterminals; }
  // Sides that end here: first_side, then next_side of each until kNoSide.
  std::uint32_t first_side(Node node) const { return nodes_[node].side; }
  std::uint32_t next_side(std::uint32_t side) const { return next_[side]; }

 private:
  struct NodeData {
    std::uint32_t side = kNoSide;
    bool has_words = false, has_nonterminals = false;
  };
  // In the trie a nonterminal is known by its label; its number follows from the order.
  static Symbol label_symbol(std::uint32_t label) { return -1 - static_cast<Symbol>(label); }
  static std::uint64_t key(Node node, Symbol symbol) {
    return (std::uint64_t{node} << 32) | static_cast<std::uint32_t>(symbol);
  }
  Node find(Node node, Symbol symbol) const {
    const Node* const child = children_.find(key(node, symbol));
    return child == nullptr ? kNone : *child;
  }
  Node child(Node node, Symbol symbol);

  std::vector<NodeData> nodes_;
  std::vector<std::uint32_t> next_;
  KeyTable<Node> children_;
};

}  // namespace demotic
