// The source patterns of an input sentence: what is looked up in the corpus. A pattern is one to
// three chunks of words with a nonterminal between them, such as  hat X versprochen ; nonterminals
// at the ends are found by extraction, not looked up.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/probe_table.hpp"
#include "grammar/index_part.hpp"
#include "grammar/options.hpp"

namespace demotic {

using NodeId = std::uint32_t;
constexpr NodeId kNoNode = 0xffffffff;
constexpr WordId kOutsideVocab = 0xffffffff;

// All n-grams of the input that occur in the corpus, each once, as a tree; every node knows its
// occurrences.
class InputTrie {
 public:
  struct Node {
    WordId word;
    std::uint32_t depth;
    std::array<SuffixRange, 2> ranges;  // in the index file, and in what was added to it
    NodeId parent, root;                // root: of the first word
    NodeId first_child = kNoNode, sibling = kNoNode;

    std::uint32_t occurrences() const { return ranges[0].size() + ranges[1].size(); }
  };

  explicit InputTrie(std::size_t vocab_size) : roots_(vocab_size, kNoNode) {}

  // Words that the corpus does not know are kOutsideVocab. Nodes have at most max_depth words.
  void build(std::span<const IndexPart> parts, std::span<const WordId> input, int max_depth);

  const Node& operator[](NodeId node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  // The node of the `length` input words from position i on, or kNoNode.
  NodeId at(std::size_t i, int length) const {
    return at_[i * static_cast<std::size_t>(max_depth_) + static_cast<std::size_t>(length) - 1];
  }
  NodeId root(Token token) const { return token == kBoundary ? kNoNode : roots_[token - 1]; }
  NodeId child(NodeId node, Token token) const {
    for (NodeId c = nodes_[node].first_child; c != kNoNode; c = nodes_[c].sibling)
      if (token_of(nodes_[c].word) == token) return c;
    return kNoNode;
  }
  // The words of a node, first to last.
  void append_words(NodeId node, std::vector<WordId>& words) const;

 private:
  NodeId add(std::span<const IndexPart> parts, NodeId parent, WordId word);

  std::vector<Node> nodes_;
  std::vector<NodeId>
      roots_;  // per word of the vocabulary; only those of the current input are set
  std::vector<NodeId> at_;
  int max_depth_ = 1;
};

struct Pattern {
  std::array<NodeId, 3> chunks{kNoNode, kNoNode, kNoNode};
  std::uint8_t size = 0;    // number of chunks
  std::uint8_t anchor = 0;  // the rarest chunk, the first among equals
  bool operator==(const Pattern& other) const { return chunks == other.chunks; }
};

// All distinct patterns of an input, in the order in which they begin and grow: chunk by chunk,
// from left to right.
class InputPatterns {
 public:
  void build(const InputTrie& trie, std::size_t input_length, const ExtractOptions& options);
  std::span<const Pattern> all() const { return patterns_; }

 private:
  void add(const Pattern& pattern);

  std::vector<Pattern> patterns_;
  NumberTable table_;
};

}  // namespace demotic
