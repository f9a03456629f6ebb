// RAMPION: the ramp loss of many lists by the concave-convex procedure and stochastic subgradient
// descent (Gimpel and Smith 2012).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/kbest_list.hpp"
#include "learn/learnable_features.hpp"

namespace demotic {

struct RampionOptions {
  std::uint32_t rounds = 10;  // T': times that hopes are chosen anew
  std::uint32_t passes = 5;   // T'': over the lists for each choice of hopes
  double step = 1e-4;         // eta
  double l2 = 1;              // C: pull to the weights where it starts

  void check() const;  // throws Error
};

class Rampion {
 public:
  explicit Rampion(RampionOptions options);

  // The next list. `scores` are w . f(y) with the weights from which `optimize` will start. Returns
  // its ramp loss there,
  //   max_y (score + cost) - max_y (score - cost).
  double add(const KBestList& list, std::span<const double> scores, std::span<const double> costs);
  std::size_t lists() const { return list_begins_.size() - 1; }

  // Minimises the sum of the ramp losses + C / 2 ||w - start||^2 over the weights that may change,
  // in place; the lists are forgotten. The pull is shared out among the lists and applied by
  // scaling what was learnt, so that a step touches the features of two hypotheses only. Returns
  // the number of steps. `weights` must have room for every feature of the lists.
  std::uint64_t optimize(std::span<double> weights, const LearnableFeatures& learnable);

 private:
  std::size_t best(std::size_t list, double sign) const;
  double change_of_score(std::size_t hypothesis) const;
  void multiply_out();
  void learn(std::size_t hypothesis, double step, const LearnableFeatures& learnable);

  const RampionOptions options_;
  std::vector<std::size_t> list_begins_{0}, row_begins_{0};
  std::vector<double> scores_, costs_;  // per hypothesis
  std::vector<FeatureId> features_;
  std::vector<float> values_;
  std::vector<double> change_;  // by id: the weights are start + scale_ * change_
  double scale_ = 1;
};

}  // namespace demotic
