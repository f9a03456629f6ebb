// What a derivation says: its words, its features, its rules.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "decode/hypergraph.hpp"

namespace demotic {

// Words of translations of one sentence: ids of the target vocabulary, then words that were copied
// or prescribed and are not in it.
class OutputWords {
 public:
  explicit OutputWords(const RuleBook& book);

  // Of a pass-through or a forced rule.
  std::span<const WordId> own(RuleId rule) const {
    const std::size_t begin = begins_[rule - first_];
    return std::span(own_).subspan(begin, begins_[rule - first_ + 1] - begin);
  }
  // Whether a rule has its words here, not in the target vocabulary.
  static bool has_own(RuleKind kind) {
    return kind == RuleKind::kPassThrough || kind == RuleKind::kForced;
  }
  std::string_view text(WordId word) const;
  // How many words are not in the target vocabulary.
  std::size_t beyond() const { return beyond_.size(); }

 private:
  const RuleBook& book_;
  RuleId first_;  // the first pass-through rule
  WordId id_of(std::string_view word);

  std::vector<WordId> own_;
  std::vector<std::size_t> begins_ = {0};  // in own_, by position in the sentence
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
// numbers kDenseFeature + i: first the grammar's, then the decoder's, then those of further
// language models.
constexpr std::uint32_t kDenseFeature = 0xC0000000u;
// Features of BorderFeatures have numbers kBorderFeature + i.
constexpr std::uint32_t kBorderFeature = 0xA0000000u;
void add_features(const Forest& forest, std::span<const std::uint32_t> edges,
                  std::vector<FeatureValue>& out);
// The same as they come, edge by edge, with what is to be added up still apart. `dense`: working
// memory.
void append_features(const Forest& forest, std::span<const std::uint32_t> edges,
                     std::vector<double>& dense, std::vector<FeatureValue>& out);

// The features of words where rules meet on an edge, each with this value.
void add_borders(const BorderFeatures& borders, std::size_t edge, double coefficient,
                 std::vector<FeatureValue>& out);

// Sorts the features from `first` on and adds up those with equal numbers, in their order.
void sum_features(std::vector<FeatureValue>& features, std::size_t first);

}  // namespace demotic
