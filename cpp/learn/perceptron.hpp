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
  double margin = 0;     // update where <w, x> <= margin
  bool frozen = false;   // compare the scores of decoding, whatever was learnt from this list since
  bool scale = false;    // scale each update by the difference in the metric
  bool average = false;  // `finish` gives the mean of the weights after each list
  Learnable learn = Learnable::kAll;

  void check() const;  // throws Error
};

class Perceptron {
 public:
  explicit Perceptron(PerceptronOptions options);

  // For each pair with difference x = x1 - x2:  w <- w + rate x  if <w, x> <= margin. The
  // subgradient of l(w) = (-<w, x>)+ with a margin; "<=" is the paper's, so that from zero weights
  // every pair counts.
  //
  // `list` is numbered by `index`, `metric` has a value per hypothesis (read when updates are
  // scaled). Features beyond `weights` keep the weight 0; what they would have gained is added to
  // `gradient`, which is by id and as long as the index, or empty.
  UpdateCounts update(const KBestList& list, std::span<const Pair> pairs,
                      std::span<const double> metric, const FeatureIndex& index,
                      std::span<double> weights, std::span<double> gradient);

  // The end; averages the weights if asked for. A change by list t is in the weights after the n -
  // t + 1 lists from there on: the mean is  w - sum_t (t - 1) / n change_t,  and lists cost only
  // what they change. Lists without pairs do not count.
  void finish(std::span<double> weights) const;

 private:
  void difference(const KBestList& list, const Pair& pair);

  const PerceptronOptions options_;
  struct Entry {
    FeatureId feature;
    double value;
  };
  std::vector<Entry> difference_;  // of the current pair; no zeros
  std::vector<double> late_;       // average: by id, sum over changes of  change x lists before it
  std::uint64_t lists_ = 0;        // with pairs
  LearnableFeatures learnable_;
};

}  // namespace demotic
