#include "decode/kbest.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/hash.hpp"
#include "features/name_hash.hpp"

namespace demotic {
namespace {

constexpr std::uint64_t kBase = 0x1a2b3c4d5e6f7083ull % name_hash::kPrime;

// Higher scores first; equal scores by edge and ranks, so that the order never depends on how the
// heap was filled.
template <class Candidate>
bool worse(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score < b.score;
  return std::tie(a.edge, a.ranks[0], a.ranks[1]) > std::tie(b.edge, b.ranks[0], b.ranks[1]);
}

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
    if (state.last) push_neighbours(node, *std::exchange(state.last, std::nullopt));
    if (state.heap.empty()) return false;
    std::ranges::pop_heap(state.heap, worse<Candidate>);
    const Candidate best = state.heap.back();
    state.heap.pop_back();
    state.last = best;
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
  for (std::uint32_t edge = forest_.nodes[node].edges_begin; edge < forest_.nodes[node].edges_end;
       ++edge) {
    double score = graph_.edge_score(edge);
    for (const NodeId tail : forest_.edges[edge].tails)
      if (tail != kNone) score += best_[tail];
    heap.push_back({score, edge, {0, 0}});
  }
  std::ranges::make_heap(heap, worse<Candidate>);
}

void LazyKBest::push(NodeId node, std::uint32_t edge, std::uint32_t a, std::uint32_t b) {
  const HyperEdge& hyperedge = forest_.edges[edge];
  const std::uint32_t ranks[2] = {a, b};
  double score = graph_.edge_score(edge);
  for (int i = 0; i < 2; ++i) {
    if (hyperedge.tails[i] == kNone) continue;
    if (!expand(hyperedge.tails[i], ranks[i])) return;
    score += nodes_[hyperedge.tails[i]].listed[ranks[i]].candidate.score;
  }
  auto& heap = nodes_[node].heap;
  heap.push_back({score, edge, {a, b}});
  std::ranges::push_heap(heap, worse<Candidate>);
}

// A candidate (a, b) with both ranks above 0 is a neighbour of two others: it is pushed from (a, b
// - 1) only if (a - 1, b) has not been there. Pushing along the second axis always and along the
// first only at b = 0 gives each exactly one parent, and the parent is never worse.
void LazyKBest::push_neighbours(NodeId node, const Candidate& candidate) {
  const HyperEdge& edge = forest_.edges[candidate.edge];
  const auto [a, b] = std::pair(candidate.ranks[0], candidate.ranks[1]);
  if (edge.tails[1] != kNone) push(node, candidate.edge, a, b + 1);
  if (edge.tails[0] != kNone && b == 0) push(node, candidate.edge, a + 1, 0);
}

void LazyKBest::StringHash::append(const StringHash& other) {
  hash = name_hash::multiply_add(hash, other.power, other.hash);
  power = name_hash::multiply_add(power, other.power, 0);
  length += other.length;
}

LazyKBest::StringHash LazyKBest::string_of(const Candidate& candidate) const {
  const HyperEdge& edge = forest_.edges[candidate.edge];
  const UsedRule& rule = forest_.rules[edge.rule];
  const auto one_word = [](WordId word) {
    return StringHash{mix(word) % name_hash::kPrime, kBase, 1};
  };
  StringHash string;
  if (OutputWords::has_own(rule.kind))
    for (const WordId word : words_.own(rule.rule)) string.append(one_word(word));
  for (const Symbol symbol : rule.target) {
    if (symbol >= 0)
      string.append(one_word(static_cast<WordId>(symbol)));
    else if (const int tail = -1 - symbol; edge.tails[tail] != kNone)
      string.append(nodes_[edge.tails[tail]].listed[candidate.ranks[tail]].string);
  }
  return string;
}

bool LazyKBest::is_repeated(NodeId node, const StringHash& string) const {
  return std::ranges::any_of(nodes_[node].listed,
                             [&](const Listed& listed) { return listed.string == string; });
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
