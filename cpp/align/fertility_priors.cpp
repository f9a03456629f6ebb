#include "align/fertility_priors.hpp"

#include <algorithm>
#include <bit>

namespace demotic {
namespace {
constexpr double kLeastFertilityCount = 0.01;  // of every fertility in every class
}

std::uint8_t FertilityPriors::frequency_class(std::uint64_t occurrences) {
  const int digits = std::bit_width(std::max<std::uint64_t>(occurrences, 1));
  return static_cast<std::uint8_t>(std::min(digits, kClasses) - 1);
}

void FertilityPriors::update(const std::vector<std::uint32_t>& counts, std::uint32_t samples) {
  std::array<std::array<std::uint64_t, kFertilities>, kClasses> sums{};
  for (std::size_t word = 0; word < class_of_.size(); ++word) {
    const std::uint32_t* const row = counts.data() + word * kFertilities;
    std::uint64_t occurrences = 0;
    for (int n = 0; n < kFertilities; ++n) occurrences += row[n];
    class_of_[word] = frequency_class(occurrences / samples);
    for (int n = 0; n < kFertilities; ++n) sums[class_of_[word]][n] += row[n];
  }
  for (int c = 0; c < kClasses; ++c) {
    Prior& prior = priors_[c];
    double total = 0;
    const auto mass = [&](int n) {
      return static_cast<double>(sums[c][n]) / samples + kLeastFertilityCount;
    };
    for (int n = 0; n < kFertilities; ++n) total += mass(n);
    for (int n = 0; n < kFertilities; ++n)
      prior[n] = static_cast<float>(strength_ * mass(n) / total);
  }
}

}  // namespace demotic
