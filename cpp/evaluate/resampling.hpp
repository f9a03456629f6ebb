// Sums of per-sentence statistics over other test sets than the one at hand: what significance
// tests are made of.
//
// Any metric that is a function of sums over sentences can be tested with these. Each sample has a
// random stream of its own, so results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace demotic {

// Statistics of several translations of the same sentences: values[(sentence * translations +
// translation) * columns + column].
struct TestSet {
  const double* values;
  std::size_t sentences, translations, columns;

  const double* row(std::size_t sentence) const { return values + sentence * width(); }
  std::size_t width() const { return translations * columns; }
};

// Both return sums[(sample * translations + translation) * columns + column].

// As many sentences as the test set has, drawn with replacement, the same ones for all translations
// (Koehn 2004).
std::vector<double> bootstrap_sums(const TestSet& test_set, std::size_t samples, std::uint64_t seed,
                                   unsigned threads);

// The translations of every sentence in random order (Noreen 1989; Riezler and Maxwell 2005): what
// could have come out if it did not matter who made which.
std::vector<double> shuffled_sums(const TestSet& test_set, std::size_t samples, std::uint64_t seed,
                                  unsigned threads);

}  // namespace demotic
