#include "decode/pruning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "decode/border_features.hpp"
#include "decode/inside_outside.hpp"
#include "decode/kbest.hpp"

namespace demotic {
namespace {

constexpr double kUnreachable = -std::numeric_limits<double>::infinity();
constexpr double kScoreRounding =
    1e-9;  // relative: the edges of one derivation add up its score in different orders

// The forest with the marked edges that the goal reaches through marked edges.
Hypergraph keep(const Hypergraph& graph, const std::vector<bool>& marked) {
  const Forest& forest = graph.forest();
  std::vector<bool> reached(forest.nodes.size(), false);
  reached[forest.goal()] = true;
  for (NodeId node = forest.goal() + 1; node-- > 0;)
    for (std::uint32_t e = forest.nodes[node].edges_begin;
         reached[node] && e < forest.nodes[node].edges_end; ++e)
      for (const NodeId tail : forest.edges[e].tails)
        if (marked[e] && tail != kNone) reached[tail] = true;

  auto kept =
      std::make_shared<Forest>(Forest{forest.book, forest.options, forest.labels, {}, {}, {}, {}});
  std::vector<double> scores;
  std::vector<NodeId> node_of(forest.nodes.size(), kNone);
  std::vector<std::uint32_t> rule_of(forest.rules.size(), kNone);
  for (NodeId node = 0; node < forest.nodes.size(); ++node) {
    if (!reached[node]) continue;
    node_of[node] = static_cast<NodeId>(kept->nodes.size());
    HyperNode copy = forest.nodes[node];
    copy.edges_begin = static_cast<std::uint32_t>(kept->edges.size());
    for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e) {
      if (!marked[e]) continue;
      HyperEdge edge = forest.edges[e];
      if (rule_of[edge.rule] == kNone) {
        rule_of[edge.rule] = static_cast<std::uint32_t>(kept->rules.size());
        kept->rules.push_back(forest.rules[edge.rule]);
      }
      edge.rule = rule_of[edge.rule];
      edge.head = node_of[node];
      for (NodeId& tail : edge.tails)
        if (tail != kNone) tail = node_of[tail];
      kept->edges.push_back(edge);
      const auto further = forest.further(e);
      kept->further_lm.insert(kept->further_lm.end(), further.begin(), further.end());
      scores.push_back(graph.edge_score(e));
    }
    copy.edges_end = static_cast<std::uint32_t>(kept->edges.size());
    kept->nodes.push_back(copy);
  }
  kept->borders = BorderFeatures::of(*kept);
  return {std::move(kept), std::move(scores)};
}

// A node without marked edges takes its parents' edges with it.
void unmark_incomplete(const Forest& forest, std::vector<bool>& marked) {
  std::vector<bool> alive(forest.nodes.size(), false);
  for (NodeId node = 0; node < forest.nodes.size(); ++node)
    for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e) {
      for (const NodeId tail : forest.edges[e].tails)
        if (tail != kNone && !alive[tail]) marked[e] = false;
      if (marked[e]) alive[node] = true;
    }
}

// Marks the best derivation of each of the best strings, as many as fit into `edges` edges, but one
// in any case.
void mark_best_strings(const Hypergraph& graph, std::size_t edges, std::size_t strings,
                       std::vector<bool>& marked) {
  LazyKBest best(graph, true);
  LazyKBest::Found found;
  std::size_t count = 0;
  for (std::size_t i = 0; i < strings && best.next(found); ++i) {
    const auto is_new = [&](std::uint32_t e) { return !marked[e]; };
    count += static_cast<std::size_t>(std::ranges::count_if(found.edges, is_new));
    if (i > 0 && count > edges) break;
    for (const std::uint32_t e : found.edges) marked[e] = true;
  }
}

}  // namespace

Hypergraph prune(const Hypergraph& graph, double threshold, double temperature) {
  const std::vector<double> posteriors = edge_posteriors(graph, temperature);
  std::vector<bool> marked(posteriors.size());
  for (std::size_t e = 0; e < posteriors.size(); ++e) marked[e] = posteriors[e] >= threshold;
  LazyKBest best(graph, false);
  LazyKBest::Found found;
  if (best.next(found))
    for (const std::uint32_t e : found.edges) marked[e] = true;
  unmark_incomplete(graph.forest(), marked);
  return keep(graph, marked);
}

std::vector<double> max_marginals(const Hypergraph& graph) {
  const Forest& forest = graph.forest();
  std::vector<double> inside(forest.nodes.size(), kUnreachable),
      outside(forest.nodes.size(), kUnreachable), best(forest.edges.size());
  const auto for_each_edge = [&](NodeId node, auto visit) {
    for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e)
      visit(e, forest.edges[e].tails);
  };
  for (NodeId node = 0; node < forest.nodes.size(); ++node)
    for_each_edge(node, [&](std::uint32_t e, const NodeId(&tails)[2]) {
      best[e] = graph.edge_score(e);
      for (const NodeId tail : tails)
        if (tail != kNone) best[e] += inside[tail];
      inside[node] = std::max(inside[node], best[e]);
    });
  outside[forest.goal()] = 0;
  for (NodeId node = forest.goal() + 1; node-- > 0;)
    for_each_edge(node, [&](std::uint32_t e, const NodeId(&tails)[2]) {
      best[e] += outside[node];
      for (const NodeId tail : tails)
        if (tail != kNone) outside[tail] = std::max(outside[tail], best[e] - inside[tail]);
    });
  return best;
}

Hypergraph prune_to(const Hypergraph& graph, std::size_t edges, std::size_t strings) {
  edges = std::max<std::size_t>(edges, 1);
  if (edges >= graph.forest().edges.size()) return graph;
  std::vector<bool> marked(graph.forest().edges.size());
  mark_best_strings(graph, edges, strings, marked);
  const std::vector<double> best = max_marginals(graph);
  std::vector<double> others;
  for (std::size_t e = 0; e < best.size(); ++e)
    if (!marked[e]) others.push_back(best[e]);
  const std::size_t taken = best.size() - others.size();
  if (taken < edges) {
    const auto nth = others.begin() + static_cast<std::ptrdiff_t>(edges - taken - 1);
    std::nth_element(others.begin(), nth, others.end(), std::greater<>());
    const double least = *nth - kScoreRounding * (1 + std::abs(*nth));
    for (std::size_t e = 0; e < best.size(); ++e)
      if (best[e] >= least) marked[e] = true;
  }
  unmark_incomplete(graph.forest(), marked);
  return keep(graph, marked);
}

}  // namespace demotic
