#include "learn/adagrad.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace demotic {
namespace {

constexpr std::uint32_t kSettleEvery = 100;  // lists; costs a hundredth of all features per list

// A sum that rounding has left over is no gradient: the first step of a feature has the same size
// however small its gradient.
constexpr double kNoGradient = 1e-12;

struct GradientSum {
  double value = 0, magnitude = 0;

  void add(double term) {
    value += term;
    magnitude += std::abs(term);
  }
  bool is_zero() const { return std::abs(value) <= kNoGradient * magnitude; }
};

struct LossSlope {
  double loss, slope;  // slope: by <w, x>
};

LossSlope logistic(double product) {
  const double tail = std::exp(-std::abs(product));  // does not overflow
  return {std::log1p(tail) + std::max(0.0, -product),
          -(product >= 0 ? tail / (1 + tail) : 1 / (1 + tail))};
}

LossSlope hinge(double product, double margin) {
  return {std::max(0.0, margin - product), product <= margin ? -1.0 : 0.0};
}

std::vector<GradientSum> gradient_sums(const KBestList& list, const LocalNumbering& numbering,
                                       std::span<const double> coefficients) {
  std::vector<GradientSum> sums(numbering.size());
  for (std::size_t row = 0; row < list.size(); ++row) {
    if (coefficients[row] == 0) continue;
    for (std::size_t i = list.row_begins[row]; i < list.row_begins[row + 1]; ++i)
      sums[numbering[list.features[i]]].add(coefficients[row] * list.values[i]);
  }
  return sums;
}

}  // namespace

PairLoss pair_loss(std::string_view name) {
  if (name == "logistic") return PairLoss::kLogistic;
  if (name == "hinge") return PairLoss::kHinge;
  throw Error("unknown loss '" + std::string(name) + "'", "choose logistic or hinge");
}

void AdaGradOptions::check() const {
  for (const auto& [name, value] :
       {std::pair{"learning_rate", learning_rate}, std::pair{"dense_rate", dense_rate}})
    if (!(value > 0) || !std::isfinite(value))
      throw range_error(name, "above 0", value, "try 0.02");
  if (!(margin >= 0) || !std::isfinite(margin)) throw range_error("margin", "at least 0", margin);
  if (min_lists < 1) throw range_error("min_lists", "at least 1", min_lists);
  regularizer.check();
}

AdaGrad::AdaGrad(AdaGradOptions options) : options_(options), learnable_(options.learn) {
  options_.check();
}

double AdaGrad::rate(FeatureId id) const {
  const double first = learnable_.is_dense(id) ? options_.dense_rate : options_.learning_rate;
  return first / std::sqrt(features_[id].squares);
}

bool AdaGrad::is_shrunk(FeatureId id) const {
  return features_[id].squares > 0 && !options_.regularizer.is_off() && learnable_[id] &&
         (options_.regularize_dense || !learnable_.is_dense(id));
}

void AdaGrad::pay(FeatureId id, double& weight) {
  Feature& feature = features_[id];
  const std::uint32_t owed = lists_ - feature.paid;
  if (owed == 0) return;
  feature.paid = lists_;
  const bool shrinks = weight != 0 && is_shrunk(id);
  if (options_.average)
    feature.total +=
        shrinks ? options_.regularizer.sum_of_shrunk(weight, rate(id), owed) : owed * weight;
  if (shrinks) weight = options_.regularizer.shrunk(weight, rate(id), owed);
}

void AdaGrad::step(FeatureId id, double gradient, double& weight) {
  Feature& feature = features_[id];
  const double squares = feature.squares + gradient * gradient;
  if (squares == 0) return;  // a gradient too small to have a square would have an infinite rate
  const bool learns = feature.squares > 0 || weight != 0 || learnable_.is_dense(id);
  if (!learns && ++feature.moving < options_.min_lists) return;
  feature.squares = squares;
  const double eta = rate(id);
  weight -= eta * gradient;
  if (is_shrunk(id)) weight = options_.regularizer.shrunk(weight, eta, 1);
  feature.total += weight;
  feature.paid = lists_ + 1;
}

std::vector<double> AdaGrad::scores(const KBestList& list, const LocalNumbering& numbering,
                                    std::span<const FeatureId> ids,
                                    std::span<const double> weights) const {
  std::vector<double> local(ids.size()), result(list.size());
  for (std::size_t i = 0; i < ids.size(); ++i) local[i] = weights[ids[i]];
  for (std::size_t row = 0; row < list.size(); ++row)
    for (std::size_t i = list.row_begins[row]; i < list.row_begins[row + 1]; ++i)
      result[row] += local[numbering[list.features[i]]] * list.values[i];
  return result;
}

std::vector<double> AdaGrad::coefficients(std::span<const Pair> pairs,
                                          std::span<const double> metric,
                                          std::span<const double> scores,
                                          UpdateCounts& counts) const {
  std::vector<double> result(scores.size());
  counts.pairs = pairs.size();
  for (const Pair& pair : pairs) {
    if (pair.better >= scores.size() || pair.worse >= scores.size())
      throw Error("a pair refers to a hypothesis that is not in the list");
    const double product = scores[pair.better] - scores[pair.worse];
    const LossSlope found =
        options_.loss == PairLoss::kLogistic ? logistic(product) : hinge(product, options_.margin);
    const double size = options_.scale ? metric[pair.better] - metric[pair.worse] : 1;
    counts.errors += product <= 0;
    counts.updates += found.slope != 0;
    counts.loss += size * found.loss;
    result[pair.better] += size * found.slope;
    result[pair.worse] -= size * found.slope;
  }
  return result;
}

UpdateCounts AdaGrad::update(const KBestList& list, std::span<const Pair> pairs,
                             std::span<const double> metric, const FeatureIndex& index,
                             std::span<double> weights) {
  if (options_.scale && metric.size() != list.size())
    throw Error("expected a metric value for each of " + std::to_string(list.size()) +
                " hypotheses (got " + std::to_string(metric.size()) + ")");
  UpdateCounts counts;
  if (pairs.empty()) return counts;
  make_room(index, weights);
  const LocalNumbering numbering(list.features);
  const auto ids = numbering.ids();
  for (const FeatureId id : ids) pay(id, weights[id]);
  const auto slopes = coefficients(pairs, metric, scores(list, numbering, ids, weights), counts);
  const auto sums = gradient_sums(list, numbering, slopes);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!sums[i].is_zero() && learnable_[ids[i]]) step(ids[i], sums[i].value, weights[ids[i]]);
  end_list(weights);
  return counts;
}

void AdaGrad::descend(std::span<const FeatureId> ids, std::span<const double> gradient,
                      const FeatureIndex& index, std::span<double> weights) {
  if (ids.size() != gradient.size()) throw Error("a gradient needs a value for every feature");
  if (ids.empty()) return;
  make_room(index, weights);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= index.size()) throw Error("a gradient has a feature that the index lacks");
    pay(ids[i], weights[ids[i]]);
    if (gradient[i] != 0 && learnable_[ids[i]]) step(ids[i], gradient[i], weights[ids[i]]);
  }
  end_list(weights);
}

void AdaGrad::make_room(const FeatureIndex& index, std::span<const double> weights) {
  if (weights.size() < index.size()) throw Error("there are fewer weights than features");
  learnable_.classify(index);
  if (features_.size() < index.size()) features_.resize(index.size());
}

void AdaGrad::end_list(std::span<double> weights) {
  if (++lists_ - settled_ >= kSettleEvery) settle(weights);
}

void AdaGrad::settle(std::span<double> weights) {
  settled_ = lists_;
  if (options_.regularizer.is_off() && !options_.average) return;
  const std::size_t size = std::min(features_.size(), weights.size());
  for (FeatureId id = 0; id < size; ++id) pay(id, weights[id]);
}

void AdaGrad::finish(std::span<double> weights) {
  settle(weights);
  if (!options_.average || lists_ == 0) return;
  const std::size_t size = std::min(features_.size(), weights.size());
  for (FeatureId id = 0; id < size; ++id)
    if (learnable_[id]) weights[id] = features_[id].total / lists_;
}

std::vector<double> AdaGrad::squares() const {
  std::vector<double> result(features_.size());
  for (std::size_t id = 0; id < result.size(); ++id) result[id] = features_[id].squares;
  return result;
}

void AdaGrad::set_squares(std::span<const double> squares) {
  features_.resize(std::max(features_.size(), squares.size()));
  for (std::size_t id = 0; id < squares.size(); ++id) {
    if (!(squares[id] >= 0)) throw Error("sums of squares must be at least 0");
    features_[id].squares = squares[id];
  }
}

}  // namespace demotic
