// Counts the n-grams that hypotheses share with the references of their sentence, one hypothesis
// after the other without allocating.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/references.hpp"

namespace demotic {

class MatchCounter {
 public:
  explicit MatchCounter(const References& references)
      : references_(references), counts_(references.ngrams().size(), 0) {}

  // Words are numbered as in the references.
  BleuStatistics operator()(std::span<const std::uint32_t> words);

  // The n-grams that the last hypothesis matched, each as often as it counted.
  std::span<const NgramTrie::Node> counted() const { return counted_; }

 private:
  const References& references_;
  std::vector<std::int32_t>
      counts_;  // of the last hypothesis; 0 for n-grams that are not in counted_
  std::vector<NgramTrie::Node> counted_;
};

}  // namespace demotic
