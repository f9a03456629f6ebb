#include "evaluate/resampling.hpp"

#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace demotic {
namespace {

// Runs sum_up(random, sums) for every sample.
template <class SumUp>
std::vector<double> for_each_sample(const TestSet& test_set, std::size_t samples,
                                    std::uint64_t seed, unsigned threads, SumUp sum_up) {
  std::vector<double> sums(samples * test_set.width(), 0.0);
  parallel_ranges(samples, 64, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t sample = begin; sample < end; ++sample) {
      Random random(seed, sample);
      sum_up(random, sums.data() + sample * test_set.width());
    }
  });
  return sums;
}

void add(const double* values, std::size_t count, double* sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += values[i];
}

}  // namespace

std::vector<double> bootstrap_sums(const TestSet& test_set, std::size_t samples, std::uint64_t seed,
                                   unsigned threads) {
  return for_each_sample(test_set, samples, seed, threads, [&](Random& random, double* sums) {
    for (std::size_t i = 0; i < test_set.sentences; ++i)
      add(test_set.row(random.below(static_cast<std::uint32_t>(test_set.sentences))),
          test_set.width(), sums);
  });
}

std::vector<double> shuffled_sums(const TestSet& test_set, std::size_t samples, std::uint64_t seed,
                                  unsigned threads) {
  return for_each_sample(test_set, samples, seed, threads, [&](Random& random, double* sums) {
    const auto translations = static_cast<std::uint32_t>(test_set.translations);
    std::vector<std::uint32_t> order(translations);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t sentence = 0; sentence < test_set.sentences; ++sentence) {
      for (std::uint32_t i = translations; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
      for (std::uint32_t i = 0; i < translations; ++i)
        add(test_set.row(sentence) + order[i] * test_set.columns, test_set.columns,
            sums + i * test_set.columns);
    }
  });
}

}  // namespace demotic
