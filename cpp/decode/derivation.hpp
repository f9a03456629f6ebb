// What a derivation says: its words, its features, its rules.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "decode/hypergraph.hpp"

namespace demotic {

// Words of translations of one sentence: ids of the target vocabulary, then words that were copied
// and are not in it.
class OutputWords {
 public:
  explicit OutputWords(const RuleBook& book);

  WordId copied(RuleId pass_through) const { return copied_[pass_through - first_]; }
  std::string_view text(WordId word) const;

 private:
  const RuleBook& book_;
  RuleId first_;  // the first pass-through rule
  std::vector<WordId> copied_;
  std::vector<std::string_view> beyond_;
};

// A derivation as its edges from the top down, the first target nonterminal before the second.
using Derivation = std::vector<std::uint32_t>;

// Appends the words of a derivation.
void append_words(const Forest& forest, const OutputWords& words,
                  std::span<const std::uint32_t> derivation, std::vector<WordId>& out);

// A feature with a number as in RuleFeature, or a dense one.
struct FeatureValue {
  std::uint32_t feature;
  double value;
};

// The sum of the features over edges, each feature once, by rising number. Dense features have
// numbers kDenseFeature + i: first the grammar's, then the decoder's.
constexpr std::uint32_t kDenseFeature = 0xC0000000u;
void add_features(const Forest& forest, std::span<const std::uint32_t> edges,
                  std::vector<FeatureValue>& out);

// Sorts the features from `first` on and adds up those with equal numbers, in their order.
void sum_features(std::vector<FeatureValue>& features, std::size_t first);

}  // namespace demotic
