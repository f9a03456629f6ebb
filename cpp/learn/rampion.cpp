#include "learn/rampion.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace demotic {
namespace {
constexpr double kLeastScale = 1e-100;  // far from where it would be 0, even after one step more
}

void RampionOptions::check() const {
  if (rounds == 0 || passes == 0)
    throw range_error(rounds == 0 ? "rounds" : "passes", "at least 1", 0);
  if (!(step > 0) || !std::isfinite(step)) throw range_error("step", "above 0", step, "try 0.0001");
  if (!(l2 >= 0) || !(step * l2 < 1))
    throw range_error("l2", "at least 0, and below 1 when multiplied by the step", l2);
}

Rampion::Rampion(RampionOptions options) : options_(options) { options_.check(); }

double Rampion::add(const KBestList& list, std::span<const double> scores,
                    std::span<const double> costs) {
  if (list.size() == 0 || scores.size() != list.size() || costs.size() != list.size())
    throw Error("RAMPION needs a model score and a cost for each of " +
                std::to_string(list.size()) + " hypotheses");
  for (std::size_t i = 0; i < list.size(); ++i)
    row_begins_.push_back(features_.size() + list.row_begins[i + 1]);
  features_.insert(features_.end(), list.features.begin(), list.features.end());
  values_.insert(values_.end(), list.values.begin(), list.values.end());
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  costs_.insert(costs_.end(), costs.begin(), costs.end());
  list_begins_.push_back(scores_.size());
  const std::size_t hope = best(lists() - 1, -1), fear = best(lists() - 1, 1);
  return scores_[fear] + costs_[fear] - (scores_[hope] - costs_[hope]);
}

std::uint64_t Rampion::optimize(std::span<double> weights, const LearnableFeatures& learnable) {
  if (!features_.empty() && std::ranges::max(features_) >= weights.size())
    throw Error("the weight vector is too short for the features of the lists");
  change_.assign(weights.size(), 0);
  scale_ = 1;
  const double shrinkage =
      1 - options_.step * options_.l2 / static_cast<double>(std::max<std::size_t>(lists(), 1));
  std::vector<std::size_t> hopes(lists());
  std::uint64_t steps = 0;
  for (std::uint32_t round = 0; round < options_.rounds; ++round) {
    for (std::size_t i = 0; i < lists(); ++i) hopes[i] = best(i, -1);
    for (std::uint32_t pass = 0; pass < options_.passes; ++pass)
      for (std::size_t i = 0; i < lists(); ++i) {
        const std::size_t fear = best(i, 1);
        scale_ *= shrinkage;
        if (scale_ < kLeastScale) multiply_out();
        if (fear == hopes[i]) continue;
        learn(hopes[i], options_.step, learnable);
        learn(fear, -options_.step, learnable);
        ++steps;
      }
  }
  for (std::size_t id = 0; id < weights.size(); ++id) weights[id] += scale_ * change_[id];
  list_begins_ = row_begins_ = {0};
  scores_.clear();
  costs_.clear();
  features_.clear();
  values_.clear();
  change_.clear();
  return steps;
}

void Rampion::multiply_out() {
  for (double& change : change_) change *= scale_;
  scale_ = 1;
}

// The hypothesis of a list with the largest score + sign x cost; of equals the first.
std::size_t Rampion::best(std::size_t list, double sign) const {
  std::size_t result = list_begins_[list];
  double largest = -INFINITY;
  for (std::size_t i = list_begins_[list]; i < list_begins_[list + 1]; ++i) {
    const double value = scores_[i] + change_of_score(i) + sign * costs_[i];
    if (value > largest) {
      largest = value;
      result = i;
    }
  }
  return result;
}

double Rampion::change_of_score(std::size_t hypothesis) const {
  if (change_.empty()) return 0;
  double sum = 0;
  for (std::size_t j = row_begins_[hypothesis]; j < row_begins_[hypothesis + 1]; ++j)
    sum += change_[features_[j]] * static_cast<double>(values_[j]);
  return scale_ * sum;
}

void Rampion::learn(std::size_t hypothesis, double step, const LearnableFeatures& learnable) {
  for (std::size_t j = row_begins_[hypothesis]; j < row_begins_[hypothesis + 1]; ++j)
    if (learnable[features_[j]])
      change_[features_[j]] += step / scale_ * static_cast<double>(values_[j]);
}

}  // namespace demotic
