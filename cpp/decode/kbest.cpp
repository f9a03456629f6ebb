#include "decode/kbest.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "base/heap.hpp"
#include "features/name_hash.hpp"

namespace demotic {
namespace {

constexpr std::uint64_t kBase = 0x1a2b3c4d5e6f7083ull % name_hash::kPrime;

// Higher scores first; equal scores by edge and ranks, so that the order never depends on how the
// heap was filled.
constexpr auto kWorse = [](const auto& a, const auto& b) {
  if (a.score != b.score) return a.score < b.score;
  return std::tie(a.edge, a.ranks[0], a.ranks[1]) > std::tie(b.edge, b.ranks[0], b.ranks[1]);
};

}  // namespace

LazyKBest::LazyKBest(const Hypergraph& graph, bool unique)
    : graph_(graph),
      forest_(graph.forest()),
      unique_(unique),
      words_(*graph.forest().book),
      nodes_(graph.forest().nodes.size()) {
  // The best score of every node is needed to order any of them; tails come before heads, so one
  // pass finds all.
  best_.resize(nodes_.size(), -std::numeric_limits<double>::infinity());
  for (NodeId node = 0; node < nodes_.size(); ++node)
    for (std::uint32_t edge = forest_.nodes[node].edges_begin; edge < forest_.nodes[node].edges_end;
         ++edge) {
      double score = graph_.edge_score(edge);
      for (const NodeId tail : forest_.edges[edge].tails)
        if (tail != kNone) score += best_[tail];
      best_[node] = std::max(best_[node], score);
    }
}

bool LazyKBest::next(Found& found) {
  const NodeId goal = forest_.goal();
  if (!expand(goal, next_rank_)) return false;
  found.score = nodes_[goal].listed[next_rank_].candidate.score;
  found.edges.clear();
  read_out(goal, next_rank_++, found.edges);
  return true;
}

bool LazyKBest::expand(NodeId node, std::uint32_t rank) {
  NodeState& state = nodes_[node];
  if (!state.started) start(node);
  while (state.listed.size() <= rank) {
    if (state.taken) replace_by_neighbours(node);
    if (state.heap.empty()) return false;
    state.taken = true;
    const Candidate best = state.heap.front();
    for (int i = 0; i < 2; ++i)  // what it is made of must be listed, too
      if (const NodeId tail = forest_.edges[best.edge].tails[i]; tail != kNone)
        expand(tail, best.ranks[i]);
    const StringHash string = unique_ ? string_of(best) : StringHash{};
    if (!unique_ || !is_repeated(node, string)) state.listed.push_back({best, string});
  }
  return true;
}

void LazyKBest::start(NodeId node) {
  nodes_[node].started = true;
  auto& heap = nodes_[node].heap;
  heap.reserve(forest_.edges_of(node).size());
  for (std::uint32_t edge = forest_.nodes[node].edges_begin; edge < forest_.nodes[node].edges_end;
       ++edge) {
    double score = graph_.edge_score(edge);
    for (const NodeId tail : forest_.edges[edge].tails)
      if (tail != kNone) score += best_[tail];
    heap.push_back({score, edge, {0, 0}});
  }
  std::ranges::make_heap(heap, kWorse);
}

std::optional<double> LazyKBest::score(std::uint32_t edge, std::uint32_t a, std::uint32_t b) {
  const HyperEdge& hyperedge = forest_.edges[edge];
  const std::uint32_t ranks[2] = {a, b};
  double score = graph_.edge_score(edge);
  for (int i = 0; i < 2; ++i) {
    if (hyperedge.tails[i] == kNone) continue;
    const NodeState& tail = nodes_[hyperedge.tails[i]];
    if (tail.listed.size() <= ranks[i] && !expand(hyperedge.tails[i], ranks[i])) return {};
    score += tail.listed[ranks[i]].candidate.score;
  }
  return score;
}

// A candidate (a, b) with both ranks above 0 is a neighbour of two others: it is pushed from (a, b
// - 1) only if (a - 1, b) has not been there. Pushing along the second axis always and along the
// first only at b = 0 gives each exactly one parent, and the parent is never worse.
void LazyKBest::replace_by_neighbours(NodeId node) {
  NodeState& state = nodes_[node];
  state.taken = false;
  auto& heap = state.heap;
  const Candidate candidate = heap.front();
  const HyperEdge& edge = forest_.edges[candidate.edge];
  bool replaced = false;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    const auto its_score = score(candidate.edge, a, b);
    if (!its_score) return;
    const Candidate neighbour{*its_score, candidate.edge, {a, b}};
    if (!replaced) {
      replace_top(heap, neighbour, kWorse);
      replaced = true;
    } else {
      heap.push_back(neighbour);
      std::ranges::push_heap(heap, kWorse);
    }
  };
  const auto [a, b] = std::pair(candidate.ranks[0], candidate.ranks[1]);
  if (edge.tails[1] != kNone) add(a, b + 1);
  if (edge.tails[0] != kNone && b == 0) add(a + 1, 0);
  if (replaced) return;
  std::ranges::pop_heap(heap, kWorse);
  heap.pop_back();
}

std::uint64_t LazyKBest::power(std::uint32_t length) {
  while (powers_.size() <= length)
    powers_.push_back(name_hash::multiply_add(powers_.back(), kBase, 0));
  return powers_[length];
}

LazyKBest::StringHash LazyKBest::string_of(const Candidate& candidate) {
  const HyperEdge& edge = forest_.edges[candidate.edge];
  const UsedRule& rule = forest_.rules[edge.rule];
  StringHash string;
  const auto append_word = [&](WordId word) {
    string.hash = name_hash::multiply_add(string.hash, kBase, mix(word) >> 4);  // below the prime
    ++string.length;
  };
  if (OutputWords::has_own(rule.kind))
    for (const WordId word : words_.own(rule.rule)) append_word(word);
  for (const Symbol symbol : rule.content.target) {
    if (symbol >= 0) {
      append_word(static_cast<WordId>(symbol));
    } else if (const int tail = -1 - symbol; edge.tails[tail] != kNone) {
      const auto [hash, length] = nodes_[edge.tails[tail]].listed[candidate.ranks[tail]].string;
      string.hash = name_hash::multiply_add(string.hash, power(length), hash);
      string.length += length;
    }
  }
  return string;
}

bool LazyKBest::is_repeated(NodeId node, const StringHash& string) {
  const auto hash = [](NodeId of, const StringHash& its) { return its.hash ^ mix(of); };
  const auto [seen, is_new] = seen_.insert(
      hash(node, string),
      [&](const SeenString& other) { return other.node == node && other.string == string; },
      [&](const SeenString& other) { return hash(other.node, other.string); });
  if (is_new) {
    seen->string = string;
    seen->node = node;
  }
  return !is_new;
}

void LazyKBest::read_out(NodeId node, std::uint32_t rank, Derivation& out) const {
  read_out(nodes_[node].listed[rank].candidate, out);
}

void LazyKBest::read_out(const Candidate& candidate, Derivation& out) const {
  out.push_back(candidate.edge);
  const HyperEdge& edge = forest_.edges[candidate.edge];
  const auto tails = forest_.target_tails(edge);
  const bool swapped = tails[0] != edge.tails[0];
  for (int i = 0; i < 2; ++i)
    if (tails[i] != kNone) read_out(tails[i], candidate.ranks[swapped ? 1 - i : i], out);
}

}  // namespace demotic
