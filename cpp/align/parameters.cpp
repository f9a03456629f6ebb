#include "align/parameters.hpp"

#include <algorithm>

#include "align/fertility_priors.hpp"

namespace demotic {
namespace {

// p(n + 1) / p(n) of every given word, and of an unknown one.
std::vector<float> fertility_ratios(const SampledCounts& counts, std::size_t vocab, double mean,
                                    const AlignerOptions& options) {
  FertilityPriors priors(vocab, options.fertility_prior);
  priors.update(counts.fertilities, std::max<std::uint32_t>(counts.samples, 1));
  std::vector<float> ratios((vocab + 1) * kFertilities, 1);
  for (std::size_t word = 0; word <= vocab; ++word) {
    const std::size_t row = word * kFertilities;
    const FertilityPriors::Prior& prior = priors.of(static_cast<WordId>(word));
    const auto mass = [&](int n) {
      return prior[n] + (word < vocab ? mean * counts.fertilities[row + n] : 0.0);
    };
    for (int n = 0; n + 1 < kFertilities; ++n)
      ratios[row + n] = static_cast<float>(mass(n + 1) / mass(n));
  }
  return ratios;
}

}  // namespace

DirectionParameters::DirectionParameters(const SampledCounts& counts,
                                         const std::vector<WordId>& given_of,
                                         std::size_t given_vocab, const AlignerOptions& options) {
  const double mean = 1.0 / std::max<std::uint32_t>(counts.samples, 1);
  const auto own_vocab = static_cast<double>(counts.null.size());
  std::vector<double> totals(given_vocab + 1);
  for (std::size_t i = 0; i < counts.pairs.size(); ++i)
    totals[given_of[i]] += mean * counts.pairs[i];
  for (double& total : totals) total += options.word_prior * own_vocab;
  for (std::size_t i = 0; i < counts.pairs.size(); ++i)
    words.push_back(
        static_cast<float>((mean * counts.pairs[i] + options.word_prior) / totals[given_of[i]]));
  for (const double total : totals)
    unseen.push_back(static_cast<float>(options.word_prior / total));

  double null_total = options.null_word_prior * own_vocab, jump_total = options.jump_prior * kJumps;
  for (const std::uint32_t count : counts.null) null_total += mean * count;
  const double odds = options.null_prior / (1 - options.null_prior) / null_total;
  for (const std::uint32_t count : counts.null)
    null.push_back(static_cast<float>(odds * (mean * count + options.null_word_prior)));
  null.push_back(static_cast<float>(odds * options.null_word_prior));
  for (const std::uint64_t count : counts.jumps) jump_total += mean * static_cast<double>(count);
  for (const std::uint64_t count : counts.jumps)
    jumps.push_back(
        static_cast<float>((mean * static_cast<double>(count) + options.jump_prior) / jump_total));
  fertility = fertility_ratios(counts, given_vocab, mean, options);
}

}  // namespace demotic
