#include "learn/perceptron.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"

namespace demotic {

void PerceptronOptions::check() const {
  if (!(learning_rate > 0) || !std::isfinite(learning_rate))
    throw range_error("learning_rate", "above 0", learning_rate, "try 0.0001");
  if (!(margin >= 0) || !std::isfinite(margin)) throw range_error("margin", "at least 0", margin);
}

Perceptron::Perceptron(PerceptronOptions options) : options_(options), learnable_(options.learn) {
  options_.check();
}

UpdateCounts Perceptron::update(const KBestList& list, std::span<const Pair> pairs,
                                std::span<const double> metric, const FeatureIndex& index,
                                std::span<double> weights, std::span<double> gradient) {
  if (options_.scale && metric.size() != list.size())
    throw Error("expected a metric value for each of " + std::to_string(list.size()) +
                " hypotheses (got " + std::to_string(metric.size()) + ")");
  if (!gradient.empty() && gradient.size() < index.size())
    throw Error("the gradient is shorter than the feature index");
  learnable_.classify(index);
  UpdateCounts counts;
  counts.pairs = pairs.size();
  if (options_.average && late_.size() < weights.size()) late_.resize(weights.size());
  const auto lists = static_cast<double>(lists_);
  for (const Pair& pair : pairs) {
    if (pair.better >= list.size() || pair.worse >= list.size())
      throw Error("a pair refers to a hypothesis that is not in the list");
    difference(list, pair);
    double product = 0;
    if (options_.frozen)
      product = list.scores[pair.better] - list.scores[pair.worse];
    else
      for (const Entry& entry : difference_)
        product += entry.feature < weights.size() ? weights[entry.feature] * entry.value : 0;
    counts.errors += product <= 0;
    if (!(product <= options_.margin)) continue;
    ++counts.updates;
    const double size = options_.scale ? metric[pair.better] - metric[pair.worse] : 1;
    const double step = options_.learning_rate * size;
    for (const Entry& entry : difference_) {
      if (!learnable_[entry.feature]) continue;
      if (entry.feature < weights.size()) {
        weights[entry.feature] += step * entry.value;
        if (options_.average) late_[entry.feature] += step * entry.value * lists;
      } else if (!gradient.empty())
        gradient[entry.feature] += step * entry.value;
    }
  }
  lists_ += !pairs.empty();
  return counts;
}

void Perceptron::finish(std::span<double> weights) const {
  if (lists_ == 0) return;
  for (std::size_t id = 0; id < late_.size(); ++id)
    weights[id] -= late_[id] / static_cast<double>(lists_);
}

// Both rows are sorted by feature.
void Perceptron::difference(const KBestList& list, const Pair& pair) {
  difference_.clear();
  std::size_t i = list.row_begins[pair.better], j = list.row_begins[pair.worse];
  const std::size_t i_end = list.row_begins[pair.better + 1],
                    j_end = list.row_begins[pair.worse + 1];
  while (i < i_end || j < j_end) {
    if (j == j_end || (i < i_end && list.features[i] < list.features[j])) {
      difference_.push_back({list.features[i], list.values[i]});
      ++i;
    } else if (i == i_end || list.features[j] < list.features[i]) {
      difference_.push_back({list.features[j], -list.values[j]});
      ++j;
    } else {
      const double value = list.values[i] - list.values[j];
      if (value != 0) difference_.push_back({list.features[i], value});
      ++i;
      ++j;
    }
  }
}

}  // namespace demotic
