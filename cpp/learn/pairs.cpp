#include "learn/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace demotic {
namespace {

// Collects the pairs that the metric tells apart.
class Pairs {
 public:
  Pairs(std::span<const double> metric, double threshold)
      : metric_(metric), threshold_(threshold) {}

  bool differ(std::uint32_t better, std::uint32_t worse) const {
    const double difference = metric_[better] - metric_[worse];
    return difference > 0 && difference >= threshold_;
  }
  void add(std::uint32_t better, std::uint32_t worse) {
    if (differ(better, worse)) pairs_.push_back({better, worse});
  }
  void add_all(std::span<const std::uint32_t> better, std::span<const std::uint32_t> worse) {
    for (const std::uint32_t i : better)
      for (const std::uint32_t j : worse) add(i, j);
  }
  std::vector<Pair> take() { return std::move(pairs_); }

 private:
  std::span<const double> metric_;
  double threshold_;
  std::vector<Pair> pairs_;
};

// The list from the best to the worst; among equals its own order.
std::vector<std::uint32_t> ordered(std::span<const double> scores) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::uint32_t i) { return scores[i]; });
  return order;
}

std::vector<Pair> levels(std::span<const double> metric, const PairOptions& options) {
  const auto order = ordered(metric);
  const std::size_t size = order.size();
  // At least one in each level, so that short lists teach something too.
  const std::size_t share = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::lround(options.level * static_cast<double>(size))), 1,
      std::max<std::size_t>(size / 2, 1));
  const std::span<const std::uint32_t> all(order);
  Pairs pairs(metric, options.threshold);
  pairs.add_all(all.first(share), all.subspan(share));
  if (options.sampling == PairSampling::kMultipartite && size >= 2 * share)
    pairs.add_all(all.subspan(share, size - 2 * share), all.last(share));
  return pairs.take();
}

std::vector<Pair> all_pairs(std::span<const double> metric, double threshold) {
  const auto order = ordered(metric);
  Pairs pairs(metric, threshold);
  for (std::size_t i = 0; i < order.size(); ++i)
    pairs.add_all(std::span(order).subspan(i, 1), std::span(order).subspan(i + 1));
  return pairs.take();
}

// `samples` draws of two hypotheses, those too close to each other left out; the `kept` with the
// largest difference.
std::vector<Pair> pro_pairs(std::span<const double> metric, const PairOptions& options,
                            std::uint64_t seed) {
  Pairs pairs(metric, options.threshold);
  std::uint64_t state = mix(seed);
  const auto draw = [&] {
    return static_cast<std::uint32_t>((state = mix(state)) % metric.size());
  };
  for (std::uint32_t i = 0; i < options.samples; ++i) {
    const std::uint32_t a = draw(), b = draw();
    if (metric[a] > metric[b]) pairs.add(a, b);
    if (metric[b] > metric[a]) pairs.add(b, a);
  }
  auto drawn = pairs.take();
  std::ranges::stable_sort(drawn, std::ranges::greater{}, [&](const Pair& pair) {
    return metric[pair.better] - metric[pair.worse];
  });
  if (drawn.size() > options.kept) drawn.resize(options.kept);
  return drawn;
}

// Every two hypotheses of which the model prefers the one with less of the metric, unless that one
// has fewer word errors.
std::vector<Pair> reranking_pairs(std::span<const double> metric, std::span<const double> model,
                                  std::span<const double> wer, double threshold) {
  const auto order = ordered(model);
  Pairs pairs(metric, threshold);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      if (wer[order[j]] <= wer[order[i]]) pairs.add(order[j], order[i]);
  return pairs.take();
}

}  // namespace

PairSampling pair_sampling(std::string_view name) {
  constexpr std::pair<std::string_view, PairSampling> kNames[] = {
      {"multipartite", PairSampling::kMultipartite},
      {"all", PairSampling::kAll},
      {"top", PairSampling::kTop},
      {"pro", PairSampling::kPro},
      {"reranking", PairSampling::kReranking}};
  for (const auto& [known, sampling] : kNames)
    if (known == name) return sampling;
  throw Error("unknown pair sampling '" + std::string(name) + "'",
              "choose multipartite, all, top, pro or reranking");
}

void PairOptions::check() const {
  if (!(level > 0 && level <= 0.5))
    throw range_error("level", "above 0 and at most 0.5", level,
                      "it is a share of the list; try 0.1");
  if (!(threshold >= 0)) throw range_error("threshold", "at least 0", threshold);
}

std::vector<Pair> make_pairs(std::span<const double> metric, std::span<const double> model,
                             std::span<const double> wer, const PairOptions& options,
                             std::uint64_t seed) {
  options.check();
  if (metric.size() < 2) return {};
  if (std::ranges::any_of(metric, [](double value) { return !std::isfinite(value); }))
    throw Error("the metric of a hypothesis is not a finite number");
  if (options.sampling == PairSampling::kReranking &&
      (model.size() != metric.size() || wer.size() != metric.size()))
    throw Error("reranking pairs need a model score and a word error rate for each hypothesis");
  switch (options.sampling) {
    case PairSampling::kAll:
      return all_pairs(metric, options.threshold);
    case PairSampling::kPro:
      return pro_pairs(metric, options, seed);
    case PairSampling::kReranking:
      return reranking_pairs(metric, model, wer, options.threshold);
    default:
      return levels(metric, options);
  }
}

}  // namespace demotic
