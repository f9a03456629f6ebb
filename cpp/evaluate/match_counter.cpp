#include "evaluate/match_counter.hpp"

#include <algorithm>

namespace demotic {

BleuStatistics MatchCounter::operator()(std::span<const std::uint32_t> words) {
  for (const NgramTrie::Node node : counted_) counts_[node] = 0;
  counted_.clear();
  const NgramTrie& ngrams = references_.ngrams();
  BleuStatistics result;
  result.hypothesis_length = static_cast<std::int32_t>(words.size());
  result.reference_length = references_.closest_length(words.size());
  for (std::size_t n = 1; n <= std::min(kBleuOrder, words.size()); ++n)
    result.totals[n - 1] = static_cast<std::int32_t>(words.size() - n + 1);
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    NgramTrie::Node node = NgramTrie::kRoot;
    for (std::size_t n = 0;
         n < kBleuOrder && begin + n < words.size() && words[begin + n] != References::kUnknown;
         ++n) {
      node = ngrams.find(node, words[begin + n]);
      if (node == NgramTrie::kAbsent) break;
      if (counts_[node] < ngrams.limit(node)) {
        ++counts_[node];
        ++result.matches[n];
        counted_.push_back(node);
      }
    }
  }
  return result;
}

}  // namespace demotic
