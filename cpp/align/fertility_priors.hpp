// What is known of a word's fertility before its own links are seen: the fertilities of words that
// are about as frequent. The average token is an article or a comma and wants one link or none: it
// says little about a rare noun.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "align/options.hpp"

namespace demotic {

class FertilityPriors {
 public:
  using Prior = std::array<float, kFertilities>;  // Dirichlet parameters

  // `strength`: sum of the parameters of each prior.
  FertilityPriors(std::size_t vocab, double strength) : strength_(strength), class_of_(vocab) {}

  // `counts`: kFertilities per word, sums over `samples` samples.
  void update(const std::vector<std::uint32_t>& counts, std::uint32_t samples);

  // The size of the vocabulary stands for an unknown word, which counts as a rare one.
  const Prior& of(WordId word) const {
    return priors_[word < class_of_.size() ? class_of_[word] : frequency_class(1)];
  }

  // Words that occur once; 2 or 3 times; 4 to 7 times; ...; 512 times or more.
  static constexpr int kClasses = 10;
  static std::uint8_t frequency_class(std::uint64_t occurrences);

 private:
  double strength_;
  std::vector<std::uint8_t> class_of_;
  std::array<Prior, kClasses> priors_{};
};

}  // namespace demotic
