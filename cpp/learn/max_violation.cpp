#include "learn/max_violation.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include "evaluate/references.hpp"
#include "evaluate/target_words.hpp"

namespace demotic {
namespace {

// A partial translation that is a part of the reference, with its best derivation.
struct ForcedItem {
  std::uint32_t begin, end;  // in the reference
  double score;
  std::uint32_t edge;
  std::array<std::uint32_t, 2> tails;  // items of the tails, in the order of the target side
};

// All items of all nodes whose words the reference has, from the bottom up.
class ForcedChart {
 public:
  ForcedChart(const Hypergraph& graph, const References& references)
      : graph_(graph),
        forest_(graph.forest()),
        reference_(references.sentences().front()),
        targets_(number_targets(forest_, references)),
        items_(forest_.nodes.size()) {
    for (NodeId node = 0; node < forest_.nodes.size(); ++node) fill(node);
  }

  // The item of the goal that has the whole reference; null: there is none.
  const ForcedItem* whole() const {
    for (const ForcedItem& item : items_[forest_.goal()])
      if (item.begin == 0 && item.end == reference_.size()) return &item;
    return nullptr;
  }

  // Calls visit(node, item) for an item and all below it.
  template <class Visit>
  void visit(NodeId node, const ForcedItem& item, Visit visit_one) const {
    visit_one(node, item);
    const auto tails = forest_.target_tails(forest_.edges[item.edge]);
    for (int i = 0; i < 2; ++i)
      if (tails[i] != kNone) visit(tails[i], items_[tails[i]][item.tails[i]], visit_one);
  }

 private:
  void fill(NodeId node) {
    known_.clear();
    for (std::uint32_t e = forest_.nodes[node].edges_begin; e < forest_.nodes[node].edges_end; ++e)
      for (std::uint32_t begin = 0; begin <= reference_.size(); ++begin)
        match(node, {begin, begin, graph_.edge_score(e), e, {0, 0}}, 0, 0);
  }

  // The symbols of the target side from `symbol` on, behind item.end; `seen` tails came before.
  void match(NodeId node, ForcedItem item, std::size_t symbol, std::size_t seen) {
    const HyperEdge& edge = forest_.edges[item.edge];
    const auto& target = targets_[edge.rule];
    const auto arity = static_cast<std::size_t>(Forest::arity(edge));
    for (; symbol < target.size(); ++symbol) {
      if (target[symbol] == kTailWords) {
        if (seen < arity) return match_tail(node, item, symbol, seen);
        continue;
      }
      if (item.end >= reference_.size() || reference_[item.end] != target[symbol]) return;
      ++item.end;
    }
    store(node, item);
  }

  void match_tail(NodeId node, const ForcedItem& item, std::size_t symbol, std::size_t seen) {
    const auto& below = items_[forest_.target_tails(forest_.edges[item.edge])[seen]];
    for (std::uint32_t i = 0; i < below.size(); ++i) {
      if (below[i].begin != item.end) continue;
      ForcedItem longer = item;
      longer.end = below[i].end;
      longer.score += below[i].score;
      longer.tails[seen] = i;
      match(node, longer, symbol + 1, seen + 1);
    }
  }

  // Of equals the first edge stays.
  void store(NodeId node, const ForcedItem& item) {
    auto& items = items_[node];
    const auto [place, is_new] = known_.try_emplace({item.begin, item.end}, items.size());
    if (is_new)
      items.push_back(item);
    else if (items[place->second].score < item.score)
      items[place->second] = item;
  }

  const Hypergraph& graph_;
  const Forest& forest_;
  const std::vector<std::uint32_t>& reference_;
  std::vector<std::vector<std::uint32_t>> targets_;
  std::vector<std::vector<ForcedItem>> items_;                            // by node
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known_;  // of the node at hand
};

// The best derivation of each node.
class BestBelow {
 public:
  explicit BestBelow(const Hypergraph& graph)
      : forest_(graph.forest()),
        scores_(forest_.nodes.size(), -std::numeric_limits<double>::infinity()),
        edges_(forest_.nodes.size(), 0) {
    for (NodeId node = 0; node < forest_.nodes.size(); ++node) {
      const HyperNode& place = forest_.nodes[node];
      for (std::uint32_t e = place.edges_begin; e < place.edges_end; ++e) {
        double score = graph.edge_score(e);
        for (const NodeId tail : forest_.edges[e].tails)
          if (tail != kNone) score += scores_[tail];
        if (score > scores_[node]) {
          scores_[node] = score;
          edges_[node] = e;
        }
      }
      const auto [best, is_new] = spans_.try_emplace(span_of(place), node);
      if (!is_new && scores_[best->second] < scores_[node]) best->second = node;
    }
  }

  double score(NodeId node) const { return scores_[node]; }
  // The best node with the span and label of this one, which may be of another forest of the same
  // sentence; kNone: there is none.
  NodeId rival(const HyperNode& node) const {
    const auto found = spans_.find(span_of(node));
    return found == spans_.end() ? kNone : found->second;
  }
  // Calls visit(node) for all nodes of the best derivation of a node.
  template <class Visit>
  void visit(NodeId node, Visit visit_one) const {
    visit_one(node);
    for (const NodeId tail : forest_.edges[edges_[node]].tails)
      if (tail != kNone) visit(tail, visit_one);
  }
  void read_out(NodeId node, Derivation& out) const {
    out.push_back(edges_[node]);
    for (const NodeId tail : forest_.target_tails(forest_.edges[edges_[node]]))
      if (tail != kNone) read_out(tail, out);
  }

 private:
  using Span = std::tuple<std::uint16_t, std::uint16_t, std::uint16_t>;
  static Span span_of(const HyperNode& node) { return {node.begin, node.end, node.label}; }

  const Forest& forest_;
  std::vector<double> scores_;
  std::vector<std::uint32_t> edges_;
  std::map<Span, NodeId> spans_;
};

}  // namespace

MaxViolation max_violation(const Hypergraph& graph, const std::vector<std::string>& reference) {
  const References references({reference});
  const ForcedChart chart(graph, references);
  MaxViolation result;
  const ForcedItem* const goal = chart.whole();
  if (goal == nullptr) return result;
  result.is_reachable = true;
  const BestBelow best(graph);
  NodeId worst = kNone;
  const ForcedItem* forced = nullptr;
  chart.visit(graph.forest().goal(), *goal, [&](NodeId node, const ForcedItem& item) {
    const double violation = best.score(best.rival(graph.forest().nodes[node])) - item.score;
    if (violation <= result.violation) return;
    result.violation = violation;
    worst = node;
    forced = &item;
  });
  if (forced == nullptr) return result;
  std::vector<Derivation> pair(2);
  chart.visit(worst, *forced,
              [&](NodeId, const ForcedItem& item) { pair[0].push_back(item.edge); });
  best.read_out(best.rival(graph.forest().nodes[worst]), pair[1]);
  result.pair = list_derivations(graph, pair);
  return result;
}

ForcedViolation max_violation(const Hypergraph& graph, const Hypergraph& forced) {
  const BestBelow best(graph), target(forced);
  ForcedViolation result;
  NodeId worst = kNone, rival_of_worst = kNone;
  target.visit(forced.forest().goal(), [&](NodeId node) {
    const NodeId rival = best.rival(forced.forest().nodes[node]);
    if (rival == kNone) return;
    const double violation = best.score(rival) - target.score(node);
    if (violation <= result.violation) return;
    result.violation = violation;
    worst = node;
    rival_of_worst = rival;
  });
  if (worst == kNone) return result;
  const auto listed = [](const Hypergraph& of, const BestBelow& below, NodeId node) {
    std::vector<Derivation> one(1);
    below.read_out(node, one[0]);
    return list_derivations(of, one);
  };
  result.forced = listed(forced, target, worst);
  result.best = listed(graph, best, rival_of_worst);
  return result;
}

}  // namespace demotic
