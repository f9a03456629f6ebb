#include "evaluate/ngram_trie.hpp"

#include <algorithm>
#include <bit>

namespace demotic {

NgramTrie::NgramTrie(std::span<const std::vector<std::uint32_t>> sentences, std::size_t order) : limits_{0} {
  std::size_t ngrams = 1;
  for (const auto& sentence : sentences) ngrams += order * sentence.size();
  slots_.resize(std::bit_ceil(2 * ngrams));
  mask_ = slots_.size() - 1;
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
  Slot& found = slots_[slot(key(prefix, word))];
  if (found.node == kAbsent) {
    found = {key(prefix, word), static_cast<Node>(limits_.size())};
    limits_.push_back(0);
  }
  return found.node;
}

}  // namespace demotic
