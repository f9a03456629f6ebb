// Collapsed Gibbs sampling of the links of one direction: Östling and Tiedemann (2016), Efficient
// word alignment with Markov chain Monte Carlo.
//
// A word of `own` is linked to position i with probability proportional to
//   p(own word | given word i) * p(jump to i) * p(jump from i) * p(fertility + 1) / p(fertility),
// each estimated from the links of all other words with a Dirichlet prior. Jumps join from the
// second stage on, fertilities in the third.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "align/candidates.hpp"
#include "align/fertility_priors.hpp"
#include "align/options.hpp"
#include "align/sampled_counts.hpp"
#include "base/random.hpp"

namespace demotic {

// Sweeps of each stage.
struct Schedule {
  int words, jumps, fertilities;
  int averaged;  // the last ones, of which posteriors are kept

  int sweeps() const { return words + jumps + fertilities; }

  // Fewer for larger corpora, which mix faster: 5,000 / sqrt(pairs) sweeps with fertilities.
  Schedule(std::size_t pairs, double relative);
};

class Sampler {
 public:
  Sampler(const Direction& text, const Candidates& candidates, const AlignerOptions& options,
          Random random);

  // Every averaged sweep adds the posteriors of all candidates, in units of 1 / unit.
  void run(const Schedule& schedule, std::uint32_t unit, const std::function<void()>& on_sweep);

  const std::vector<std::uint16_t>& posteriors() const { return posteriors_; }
  const SampledCounts& counts() const { return sums_; }

 private:
  enum Stage { kWords, kJumpsToo, kFertilitiesToo };
  struct Sentence;

  void start();
  void count_jumps_and_fertilities();
  void update_jump_probabilities();
  void sweep(std::uint32_t unit);  // 0: posteriors are not kept
  void begin_sentence(std::size_t number, Sentence& sentence) const;
  void remove(Sentence& sentence, std::size_t j);
  void weigh(const Sentence& sentence, std::size_t j);
  void insert(Sentence& sentence, std::size_t j, std::size_t choice);
  void set_total(WordId given, std::int32_t change);
  void add_sample();

  const Direction& text_;
  const Candidates& candidates_;
  AlignerOptions options_;
  Random random_;
  Stage stage_ = kWords;

  std::vector<std::uint16_t> links_;  // position of each own token, or kNoLink
  std::vector<std::int32_t> pairs_, totals_, null_;
  std::vector<float> inverse_totals_;  // 1 / (total + prior)
  std::int64_t null_total_ = 0, jump_total_ = 0;
  std::vector<std::int64_t> jumps_;
  std::vector<float> jump_probability_;
  std::vector<std::uint32_t> fertilities_;
  FertilityPriors fertility_priors_;
  std::vector<float> weights_;  // of the choices of one token, added up; NULL comes last

  std::vector<std::uint16_t> posteriors_;
  SampledCounts sums_;
};

}  // namespace demotic
