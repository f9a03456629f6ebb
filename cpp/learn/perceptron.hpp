// The ranking perceptron of Simianer, Riezler and Dyer (2012), section 4, on the pairs of one list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/kbest_list.hpp"
#include "features/feature_index.hpp"
#include "learn/learnable_features.hpp"
#include "learn/pairs.hpp"

namespace demotic {

struct PerceptronOptions {
  double learning_rate = 1e-4;
  double margin = 0;    // update where <w, x> <= margin
  bool frozen = false;  // compare the scores of decoding, whatever was learnt from this list since
  bool scale = false;   // scale each update by the difference in the metric
  bool adaptive = false;  // a rate per feature, one step per list: AdaGrad
  Learnable learn = Learnable::kAll;

  void check() const;  // throws Error
};

struct UpdateCounts {
  std::uint64_t pairs = 0;
  std::uint64_t errors = 0;   // <w, x> <= 0
  std::uint64_t updates = 0;  // <w, x> <= margin
};

class Perceptron {
 public:
  explicit Perceptron(PerceptronOptions options);

  // For each pair with difference x = x1 - x2:  w <- w + rate x  if <w, x> <= margin. The
  // subgradient of l(w) = (-<w, x>)+ with a margin; "<=" is the paper's, so that from zero weights
  // every pair counts.
  //
  // Adaptive (Duchi, Hazan and Singer 2011): g is the sum of x over these pairs, all compared
  // before any weight moves, G_i the sum of g_i^2 over all lists so far, and  w_i <- w_i + rate g_i
  // / sqrt(G_i). So a rule that is met twice takes steps as large as a dense feature's.
  //
  // `list` is numbered by `index`, `metric` has a value per hypothesis (read when updates are
  // scaled). Features beyond `weights` keep the weight 0; what they would have gained is added to
  // `gradient`, which is by id and as long as the index, or empty.
  UpdateCounts update(const KBestList& list, std::span<const Pair> pairs,
                      std::span<const double> metric, const FeatureIndex& index,
                      std::span<double> weights, std::span<double> gradient);

 private:
  void difference(const KBestList& list, const Pair& pair);
  void collect(double size);
  void step(std::span<double> weights, std::span<double> gradient);

  const PerceptronOptions options_;
  struct Entry {
    FeatureId feature;
    double value;
  };
  std::vector<Entry> difference_;  // of the current pair; no zeros
  // Adaptive: by id, the sum of this list's updates (0 between lists), and of its squares so far.
  std::vector<double> sum_, squares_;
  std::vector<FeatureId> touched_;
  LearnableFeatures learnable_;
};

}  // namespace demotic
