#include "decode/kbest.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace demotic {
namespace {

constexpr std::uint64_t kPrime = (1ull << 61) - 1;
constexpr std::uint64_t kBase = 0x1a2b3c4d5e6f7083ull % kPrime;

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  const std::uint64_t sum = static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

// Higher scores first; equal scores by edge and ranks, so that the order never depends on how the heap was filled.
template <class Candidate>
bool worse(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score < b.score;
  return std::tie(a.edge, a.ranks[0], a.ranks[1]) > std::tie(b.edge, b.ranks[0], b.ranks[1]);
}

}  // namespace

LazyKBest::LazyKBest(const Hypergraph& graph, bool unique)
    : graph_(graph), forest_(graph.forest()), unique_(unique), words_(*graph.forest().book), nodes_(graph.forest().nodes.size()) {
  // Tails come before heads, so the best derivation of every node is found in one pass without recursion.
  for (NodeId node = 0; node < nodes_.size(); ++node) expand(node, 0);
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
  while (state.listed.size() <= rank && !state.heap.empty()) {
    std::ranges::pop_heap(state.heap, worse<Candidate>);
    const Candidate best = state.heap.back();
    state.heap.pop_back();
    const StringHash string = unique_ ? string_of(best) : StringHash{};
    if (!unique_ || !is_repeated(node, best, string)) state.listed.push_back({best, string});
    push_neighbours(node, best);
  }
  return state.listed.size() > rank;
}

void LazyKBest::start(NodeId node) {
  nodes_[node].started = true;
  for (std::uint32_t edge = forest_.nodes[node].edges_begin; edge < forest_.nodes[node].edges_end; ++edge) push(node, edge, 0, 0);
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

// A candidate (a, b) with both ranks above 0 is a neighbour of two others: it is pushed from (a, b - 1) only if (a - 1, b)
// has not been there. Pushing along the second axis always and along the first only at b = 0 gives each exactly one parent,
// and the parent is never worse.
void LazyKBest::push_neighbours(NodeId node, const Candidate& candidate) {
  const HyperEdge& edge = forest_.edges[candidate.edge];
  const auto [a, b] = std::pair(candidate.ranks[0], candidate.ranks[1]);
  if (edge.tails[1] != kNone) push(node, candidate.edge, a, b + 1);
  if (edge.tails[0] != kNone && b == 0) push(node, candidate.edge, a + 1, 0);
}

LazyKBest::StringHash LazyKBest::string_of(const Candidate& candidate) const {
  const HyperEdge& edge = forest_.edges[candidate.edge];
  const RuleId rule = forest_.rules[edge.rule].rule;
  StringHash string;
  const auto append_word = [&](WordId word) {
    string.hash = multiply(string.hash, kBase) + mix(word) % kPrime;
    if (string.hash >= kPrime) string.hash -= kPrime;
    string.power = multiply(string.power, kBase);
    ++string.length;
  };
  const auto append_tail = [&](int tail) {
    const StringHash& other = nodes_[edge.tails[tail]].listed[candidate.ranks[tail]].string;
    string.hash = multiply(string.hash, other.power) + other.hash;
    if (string.hash >= kPrime) string.hash -= kPrime;
    string.power = multiply(string.power, other.power);
    string.length += other.length;
  };
  if (forest_.book->kind(rule) == RuleKind::kPassThrough) {
    append_word(words_.copied(rule));
    return string;
  }
  for (const Symbol symbol : forest_.book->target(rule)) {
    if (symbol >= 0)
      append_word(static_cast<WordId>(symbol));
    else if (const int tail = -1 - symbol; edge.tails[tail] != kNone)
      append_tail(tail);
  }
  return string;
}

bool LazyKBest::is_repeated(NodeId node, const Candidate& candidate, const StringHash& string) const {
  for (const Listed& listed : nodes_[node].listed) {
    if (!(listed.string == string)) continue;
    std::vector<WordId> words[2];
    Derivation edges[2];
    read_out(listed.candidate, edges[0]);
    read_out(candidate, edges[1]);
    for (int i = 0; i < 2; ++i) append_words(forest_, words_, edges[i], words[i]);
    if (words[0] == words[1]) return true;
  }
  return false;
}

void LazyKBest::read_out(NodeId node, std::uint32_t rank, Derivation& out) const { read_out(nodes_[node].listed[rank].candidate, out); }

void LazyKBest::read_out(const Candidate& candidate, Derivation& out) const {
  out.push_back(candidate.edge);
  const HyperEdge& edge = forest_.edges[candidate.edge];
  const auto tails = forest_.target_tails(edge);
  const bool swapped = tails[0] != edge.tails[0];
  for (int i = 0; i < 2; ++i)
    if (tails[i] != kNone) read_out(tails[i], candidate.ranks[swapped ? 1 - i : i], out);
}

}  // namespace demotic
