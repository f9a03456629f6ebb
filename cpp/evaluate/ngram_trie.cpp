#include "evaluate/ngram_trie.hpp"

#include <algorithm>
#include <bit>

namespace demotic {

namespace {

// log2 of the slots that never have to grow.
int bits_for(std::span<const std::vector<std::uint32_t>> sentences, std::size_t order) {
  std::size_t ngrams = 1;
  for (const auto& sentence : sentences) ngrams += order * sentence.size();
  return std::bit_width(2 * ngrams);
}

}  // namespace

NgramTrie::NgramTrie(std::span<const std::vector<std::uint32_t>> sentences, std::size_t order)
    : nodes_(bits_for(sentences, order)), limits_{0} {
  std::vector<std::int32_t> counts;
  for (const auto& sentence : sentences) {
    counts.assign(limits_.size(), 0);
    for (std::size_t begin = 0; begin < sentence.size(); ++begin) {
      Node node = kRoot;
      for (std::size_t end = begin; end < std::min(begin + order, sentence.size()); ++end) {
        node = find_or_add(node, sentence[end]);
        counts.resize(limits_.size(), 0);
        limits_[node] = std::max(limits_[node], ++counts[node]);
      }
    }
  }
}

NgramTrie::Node NgramTrie::find_or_add(Node prefix, std::uint32_t word) {
  const auto [node, is_new] = nodes_.insert(key(prefix, word), static_cast<Node>(limits_.size()));
  if (is_new) limits_.push_back(0);
  return *node;
}

}  // namespace demotic
