// The bigrams of words where the rules of a forest meet. What search makes of them is in
// border_scorer.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decode/border_words.hpp"

namespace demotic {

// Numbered in the order of first appearance, each for every template; none has an id of an index.
class BorderFeatures {
 public:
  // Null if no template asks for them. Throws Error if derivations of a node have different words
  // at their borders: the forest was made without them.
  static std::shared_ptr<const BorderFeatures> of(const Forest& forest);

  std::size_t size() const { return bigrams_.size() * names_.templates(); }
  // What happens on an edge: numbers of bigrams, whose features begin at number x templates().
  std::span<const std::uint32_t> bigrams(std::size_t edge) const {
    return std::span(entries_).subspan(begins_[edge], begins_[edge + 1] - begins_[edge]);
  }
  std::size_t templates() const { return names_.templates(); }
  Fingerprint print(std::size_t feature) const;
  std::string name(std::size_t feature) const;
  // For each bigram the sum of the weights of its features.
  std::vector<double> weights(const FeatureIndex& index, WeightView weights) const;

 private:
  explicit BorderFeatures(const Forest& forest);
  class Builder;

  std::shared_ptr<const RuleBook> book_;  // kept alive for the names
  OutputWords words_;
  BorderNames names_;
  std::vector<std::pair<WordId, WordId>> bigrams_;
  std::vector<std::uint32_t> begins_ = {0};  // by edge
  std::vector<std::uint32_t> entries_;
};

}  // namespace demotic
