// AdaGrad with FOBOS on the pairs of lists: a learning rate per feature (Duchi, Hazan and Singer
// 2011), proximal steps for the regulariser (Duchi and Singer 2009), for translation by Green,
// Wang, Cer and Manning (2013).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "decode/kbest_list.hpp"
#include "features/feature_index.hpp"
#include "learn/elastic_net.hpp"
#include "learn/learnable_features.hpp"
#include "learn/local_numbering.hpp"
#include "learn/pairs.hpp"

namespace demotic {

enum class PairLoss : std::uint8_t {
  kLogistic,  // log(1 + exp(-<w, x>))
  kHinge,     // (margin - <w, x>)+
};

// Throws Error with the known names.
PairLoss pair_loss(std::string_view name);

struct AdaGradOptions {
  PairLoss loss = PairLoss::kLogistic;
  double learning_rate = 0.02, dense_rate = 0.02;  // first step of a sparse and of a dense feature
  double margin = 1;                               // kHinge
  ElasticNet regularizer = {};
  bool regularize_dense = false;
  std::uint32_t min_lists = 1;  // a sparse feature learns from the n-th list on that moves it
  bool scale = false;           // scale the loss of a pair by its difference in the metric
  bool average = false;         // `finish` gives the mean of the weights after each list
  Learnable learn = Learnable::kAll;

  void check() const;  // throws Error
};

// For list number t with the gradient g of the summed loss of its pairs, all under the weights
// before it:
//   G_i <- G_i + g_i^2,   eta_i = rate / sqrt(G_i),   w_i <- prox(w_i - eta_i g_i)  with step
//   eta_i.
//
// All weights take the proximal step of every list, but a list costs only the features it has: what
// the others owe is paid in closed form when a list has them again, or by `settle`. A feature
// without any gradient so far (G_i = 0) has no rate yet and is not shrunk.
class AdaGrad {
 public:
  explicit AdaGrad(AdaGradOptions options);

  // Learn from one list, numbered by `index`; `weights` is as long as the index. Lists without
  // pairs are no step. `metric` has a value per hypothesis (read if pairs are scaled).
  UpdateCounts update(const KBestList& list, std::span<const Pair> pairs,
                      std::span<const double> metric, const FeatureIndex& index,
                      std::span<double> weights);

  // The same step along the gradient of any loss of a sentence: ids, each once, and values beside
  // them. No gradient is no step.
  void descend(std::span<const FeatureId> ids, std::span<const double> gradient,
               const FeatureIndex& index, std::span<double> weights);

  // All weights pay what they owe. Called every hundred lists, because the decoder reads weights
  // that no list has had for long.
  void settle(std::span<double> weights);
  // The end: settled and, if asked for, averaged.
  void finish(std::span<double> weights);

  // G by id: what an epoch hands on to the next.
  std::vector<double> squares() const;
  void set_squares(std::span<const double> squares);

 private:
  struct Feature {
    double squares = 0;        // G
    double total = 0;          // average: sum of the weight after lists 1 to `paid`
    std::uint32_t paid = 0;    // lists whose proximal step has been taken
    std::uint32_t moving = 0;  // lists with a gradient, until the feature learns
  };

  void make_room(const FeatureIndex& index, std::span<const double> weights);
  void end_list(std::span<double> weights);
  double rate(FeatureId id) const;
  bool is_shrunk(FeatureId id) const;
  void pay(FeatureId id, double& weight);
  void step(FeatureId id, double gradient, double& weight);
  std::vector<double> scores(const KBestList& list, const LocalNumbering& numbering,
                             std::span<const FeatureId> ids, std::span<const double> weights) const;
  // The derivative of the loss by the score of each hypothesis.
  std::vector<double> coefficients(std::span<const Pair> pairs, std::span<const double> metric,
                                   std::span<const double> scores, UpdateCounts& counts) const;

  const AdaGradOptions options_;
  LearnableFeatures learnable_;
  std::vector<Feature> features_;  // by id
  std::uint32_t lists_ = 0, settled_ = 0;
};

}  // namespace demotic
