#include "grammar/pattern.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace demotic {

void InputTrie::build(std::span<const IndexPart> parts, std::span<const WordId> input,
                      int max_depth) {
  for (const Node& node : nodes_)
    if (node.depth == 1) roots_[node.word] = kNoNode;
  nodes_.clear();
  max_depth_ = max_depth;
  at_.assign(input.size() * static_cast<std::size_t>(max_depth), kNoNode);
  for (std::size_t i = 0; i < input.size(); ++i) {
    NodeId node = kNoNode;
    for (int length = 1;
         length <= max_depth && i + static_cast<std::size_t>(length) <= input.size(); ++length) {
      const WordId word = input[i + static_cast<std::size_t>(length) - 1];
      if (word == kOutsideVocab) break;
      const NodeId next = length == 1 ? roots_[word] : child(node, token_of(word));
      node = next != kNoNode ? next : add(parts, node, word);
      if (nodes_[node].occurrences() == 0) break;
      at_[i * static_cast<std::size_t>(max_depth) + static_cast<std::size_t>(length) - 1] = node;
    }
  }
}

NodeId InputTrie::add(std::span<const IndexPart> parts, NodeId parent, WordId word) {
  const auto id = static_cast<NodeId>(nodes_.size());
  std::array<SuffixRange, 2> ranges;
  if (parent == kNoNode) {
    for (std::size_t part = 0; part < parts.size(); ++part)
      ranges[part] = parts[part].source.with_word(word);
    nodes_.push_back({word, 1, ranges, parent, id});
    roots_[word] = id;
  } else {
    const std::uint32_t depth = nodes_[parent].depth;
    for (std::size_t part = 0; part < parts.size(); ++part)
      ranges[part] = parts[part].source.extend(nodes_[parent].ranges[part], depth, word);
    nodes_.push_back({word, depth + 1, ranges, parent, nodes_[parent].root});
    nodes_[id].sibling = nodes_[parent].first_child;
    nodes_[parent].first_child = id;
  }
  return id;
}

void InputTrie::append_words(NodeId node, std::vector<WordId>& words) const {
  const std::size_t begin = words.size();
  for (; node != kNoNode; node = nodes_[node].parent) words.push_back(nodes_[node].word);
  std::reverse(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end());
}

namespace {

std::uint64_t hash_of_chunks(const Pattern& pattern) {
  return mix((std::uint64_t{pattern.chunks[0]} << 32 | pattern.chunks[1]) ^ mix(pattern.chunks[2]));
}

}  // namespace

void InputPatterns::build(const InputTrie& trie, std::size_t input_length,
                          const ExtractOptions& options) {
  patterns_.clear();
  table_.clear();
  // In the input a pattern may reach one word further than in the corpus: last - first <= max_span,
  // as in cdec.
  const auto extend = [&](auto& self, const Pattern& prefix, std::size_t begin,
                          std::size_t chunk_begin, int symbols) -> void {
    const std::size_t limit =
        std::min(input_length, begin + static_cast<std::size_t>(options.max_span) + 1);
    for (int length = 1; symbols + length <= options.max_symbols &&
                         chunk_begin + static_cast<std::size_t>(length) <= limit;
         ++length) {
      const NodeId node = trie.at(chunk_begin, length);
      if (node == kNoNode) break;
      Pattern pattern = prefix;
      pattern.chunks[pattern.size++] = node;
      if (trie[node].occurrences() < trie[pattern.chunks[pattern.anchor]].occurrences())
        pattern.anchor = static_cast<std::uint8_t>(pattern.size - 1);
      add(pattern);
      if (pattern.size > options.max_nonterminals) continue;
      for (std::size_t next = chunk_begin + static_cast<std::size_t>(length + options.min_gap);
           next < limit; ++next)
        self(self, pattern, begin, next, symbols + length + 1);
    }
  };
  for (std::size_t begin = 0; begin < input_length; ++begin)
    extend(extend, Pattern{}, begin, begin, 0);
}

void InputPatterns::add(const Pattern& pattern) {
  const auto same = [&](std::uint32_t number) { return patterns_[number] == pattern; };
  const auto hash_of = [&](std::uint32_t number) { return hash_of_chunks(patterns_[number]); };
  if (table_
          .insert(hash_of_chunks(pattern), static_cast<std::uint32_t>(patterns_.size()), same,
                  hash_of)
          .second)
    patterns_.push_back(pattern);
}

}  // namespace demotic
