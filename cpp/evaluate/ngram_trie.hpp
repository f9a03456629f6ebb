// The n-grams of some sentences up to an order, each with the number of times that the sentence
// with most of it has it.
//
// N-grams are nodes of a trie. A node is found from the node of its prefix and its last word, so a
// lookup is exact for any number of words, and the n-grams that begin at one position cost one step
// each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/probe_table.hpp"
#include "evaluate/sentence_metrics.hpp"

namespace demotic {

class NgramTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kAbsent = 0xFFFFFFFFu;

  // Words are numbers from 1 on.
  explicit NgramTrie(std::span<const std::vector<std::uint32_t>> sentences,
                     std::size_t order = kBleuOrder);

  Node find(Node prefix, std::uint32_t word) const {
    const Node* const node = nodes_.find(key(prefix, word));
    return node == nullptr ? kAbsent : *node;
  }
  std::int32_t limit(Node node) const { return limits_[node]; }  // how often a match of it counts
  std::size_t size() const { return limits_.size(); }            // nodes, with the root

 private:
  static std::uint64_t key(Node prefix, std::uint32_t word) {
    return std::uint64_t{prefix} << 32 | word;
  }
  Node find_or_add(Node prefix, std::uint32_t word);

  KeyTable<Node> nodes_;
  std::vector<std::int32_t> limits_;
};

}  // namespace demotic
