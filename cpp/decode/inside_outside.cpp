#include "decode/inside_outside.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/random.hpp"

namespace demotic {
namespace {

constexpr double kSlopeRounding = 1e-12;
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

void check_temperature(double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature))
    throw Error("the temperature must be a positive number");
}

// Log weight of all derivations of a node that begin with this edge.
double edge_inside(const Hypergraph& graph, std::uint32_t edge, const std::vector<double>& inside,
                   double temperature) {
  double sum = graph.edge_score(edge) / temperature;
  for (const NodeId tail : graph.forest().edges[edge].tails)
    if (tail != kNone) sum += inside[tail];
  return sum;
}

}  // namespace

std::vector<double> inside(const Hypergraph& graph, double temperature) {
  check_temperature(temperature);
  const Forest& forest = graph.forest();
  std::vector<double> sums(forest.nodes.size(), kImpossible);
  for (NodeId node = 0; node < forest.nodes.size(); ++node)
    for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e)
      sums[node] = log_add(sums[node], edge_inside(graph, e, sums, temperature));
  return sums;
}

std::vector<double> edge_posteriors(const Hypergraph& graph, double temperature) {
  const std::vector<double> in = inside(graph, temperature);
  const Forest& forest = graph.forest();
  std::vector<double> out(forest.nodes.size(), kImpossible), posteriors(forest.edges.size(), 0.0);
  out[forest.goal()] = 0;
  for (NodeId node = forest.goal() + 1; node-- > 0;)
    for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e) {
      const double through = out[node] + edge_inside(graph, e, in, temperature);
      posteriors[e] = std::exp(through - in[forest.goal()]);
      for (const NodeId tail : forest.edges[e].tails)
        if (tail != kNone) out[tail] = log_add(out[tail], through - in[tail]);
    }
  return posteriors;
}

ExpectedSum expected_sum(const Hypergraph& graph, std::span<const double> values,
                         double temperature) {
  const Forest& forest = graph.forest();
  if (values.size() != forest.edges.size()) throw Error("a sum needs a value for every edge");
  const std::vector<double> in = inside(graph, temperature);
  // Means of what lies below a node or edge, and of what lies around a node times its probability.
  std::vector<double> below(forest.nodes.size(), 0.0), below_edge(values.begin(), values.end());
  std::vector<double> around(forest.nodes.size(), 0.0), probability(forest.nodes.size(), 0.0);
  for (NodeId node = 0; node < forest.nodes.size(); ++node)
    for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e) {
      for (const NodeId tail : forest.edges[e].tails)
        if (tail != kNone) below_edge[e] += below[tail];
      below[node] += std::exp(edge_inside(graph, e, in, temperature) - in[node]) * below_edge[e];
    }
  double largest = 0;  // what rounding is compared with
  for (const double value : below_edge) largest = std::max(largest, std::abs(value));
  const std::vector<double> zeros(forest.edges.size(), 0.0);
  ExpectedSum result{below[forest.goal()], zeros, zeros};
  probability[forest.goal()] = 1;
  for (NodeId node = forest.goal() + 1; node-- > 0;)
    for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e) {
      const double share = std::exp(edge_inside(graph, e, in, temperature) - in[node]);
      const double p = share * probability[node];
      const double whole = share * around[node] + p * below_edge[e];  // p x mean with this edge
      const double change = whole - p * result.mean;
      const double rounding = kSlopeRounding * p * largest;
      if (std::abs(change) > rounding) result.slopes[e] = change / temperature;
      result.roundings[e] = rounding / temperature;
      for (const NodeId tail : forest.edges[e].tails)
        if (tail != kNone) {
          probability[tail] += p;
          around[tail] += whole - p * below[tail];
        }
    }
  return result;
}

std::vector<FeatureValue> expected_features(const Hypergraph& graph, double temperature) {
  return combine_edges(graph.forest(), edge_posteriors(graph, temperature));
}

std::vector<FeatureValue> combine_edges(const Forest& forest,
                                        std::span<const double> coefficients) {
  const std::size_t width = forest.book->grammar().feature_names->size();
  // Summed per rule first: many edges share a rule.
  std::vector<double> rules(forest.rules.size(), 0.0),
      dense(width + kDecoderFeatures + forest.further_models(), 0.0);
  for (std::size_t e = 0; e < forest.edges.size(); ++e) {
    rules[forest.edges[e].rule] += coefficients[e];
    for (std::size_t f = 0; f < kDecoderFeatures; ++f)
      dense[width + f] +=
          coefficients[e] * forest.decoder_feature(static_cast<DecoderFeature>(f), forest.edges[e]);
    const auto further = forest.further(e);
    for (std::size_t i = 0; i < further.size(); ++i)
      dense[width + kDecoderFeatures + i] += coefficients[e] * further[i];
  }
  std::vector<FeatureValue> all;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const RuleBook::Content& content = forest.rules[r].content;
    for (std::size_t i = 0; i < content.dense.size(); ++i) dense[i] += rules[r] * content.dense[i];
    for (const RuleFeature& feature : content.sparse)
      all.push_back({feature.feature, rules[r] * feature.value});
  }
  if (forest.borders != nullptr)
    for (std::size_t e = 0; e < forest.edges.size(); ++e)
      add_borders(*forest.borders, e, coefficients[e], all);
  for (std::size_t i = 0; i < dense.size(); ++i)
    all.push_back({kDenseFeature + static_cast<std::uint32_t>(i), dense[i]});
  sum_features(all, 0);
  return all;
}

std::vector<Derivation> sample(const Hypergraph& graph, std::size_t count, double temperature,
                               std::uint64_t seed) {
  const std::vector<double> in = inside(graph, temperature);
  const Forest& forest = graph.forest();
  Random random(seed);
  std::vector<Derivation> samples(count);
  std::vector<NodeId> open;  // nodes still to be expanded, the leftmost target tail on top
  for (Derivation& derivation : samples) {
    open.assign(1, forest.goal());
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      double left = random.uniform();
      std::uint32_t chosen = forest.nodes[node].edges_begin;
      for (std::uint32_t e = chosen; e < forest.nodes[node].edges_end; ++e) {
        chosen = e;
        left -= std::exp(edge_inside(graph, e, in, temperature) - in[node]);
        if (left < 0) break;
      }
      derivation.push_back(chosen);
      const auto tails = forest.target_tails(forest.edges[chosen]);
      for (int i = 2; i-- > 0;)
        if (tails[static_cast<std::size_t>(i)] != kNone)
          open.push_back(tails[static_cast<std::size_t>(i)]);
    }
  }
  return samples;
}

}  // namespace demotic
