#include "decode/cube_pruning.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace demotic {
namespace {
constexpr std::size_t kFirstSlots = 1024;
}

void CubePruning::fill(CellId cell, std::span<const Match> matches, std::uint32_t pop_limit, double lm_weight) {
  lm_weight_ = lm_weight;
  ++generation_;
  seen_count_ = 0;
  items_.clear();
  if (states_.empty()) states_.resize(kFirstSlots);
  if (seen_.empty()) seen_.resize(kFirstSlots);

  score_corners(matches, pop_limit);
  std::make_heap(heap_.begin(), heap_.end());
  for (std::uint32_t pops = 0; !heap_.empty() && (pop_limit == 0 || pops < pop_limit); ++pops) {
    std::pop_heap(heap_.begin(), heap_.end());
    const std::uint32_t best = heap_.back().candidate;
    heap_.pop_back();
    take(candidates_[best]);
    push_neighbours(best);
  }
  store(cell);
}

void CubePruning::score_corners(std::span<const Match> matches, std::uint32_t pop_limit) {
  cubes_.clear();
  candidates_.clear();
  heap_.clear();
  for (const Match& match : matches) {
    const Item* children[2] = {nullptr, nullptr};
    std::uint32_t sizes[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      if (match.children[i] == kNone) continue;
      const auto items = chart_.items(chart_.cell(match.children[i]));
      children[i] = items.data();
      sizes[i] = std::min<std::uint32_t>(static_cast<std::uint32_t>(items.size()), std::numeric_limits<std::uint16_t>::max());
    }
    for (const ScoredRule& rule : match.rules) {
      cubes_.push_back({&rule, {children[0], children[1]}, {sizes[0], sizes[1]}});
      score_candidate(static_cast<std::uint32_t>(cubes_.size() - 1), 0, 0);
    }
  }
  // Corners behind the pop limit would never be taken: as many better ones are in the heap already.
  if (pop_limit > 0 && heap_.size() > pop_limit) {
    std::nth_element(heap_.begin(), heap_.begin() + pop_limit, heap_.end(), [](const HeapEntry& a, const HeapEntry& b) { return b < a; });
    heap_.resize(pop_limit);
  }
}

void CubePruning::score_candidate(std::uint32_t cube, std::uint16_t a, std::uint16_t b) {
  const Cube& instance = cubes_[cube];
  const ScoredRule& rule = *instance.rule;
  const ChartState* states[2] = {nullptr, nullptr};
  float score = rule.score;
  const std::uint16_t at[2] = {a, b};
  for (int i = 0; i < rule.arity; ++i) {
    const Item& item = instance.children[i][at[i]];
    score += item.score;
    states[i] = &item.state;
  }
  float change = 0;
  const ChartState state = apply(rule, states, change);
  score += static_cast<float>(lm_weight_ * change);
  heap_.push_back({score, static_cast<std::uint32_t>(candidates_.size())});
  candidates_.push_back({score, rule.lm + change, state, cube, {a, b}});
}

// The state of the rule's target side with its nonterminals filled; adds to `lm` what changes where the pieces meet.
ChartState CubePruning::apply(const ScoredRule& rule, const ChartState* const states[2], float& lm) {
  ChartState state = rule.run[0];
  bool empty = (rule.runs & 1u) == 0;
  const auto append = [&](const ChartState& next) {
    if (empty) {
      state = next;
      empty = false;
      return;
    }
    const Merged merged = junctions_.merge(state, next);
    lm += merged.change;
    state = merged.state;
  };
  for (unsigned i = 0; i < rule.arity; ++i) {
    append(*states[i ^ rule.swapped]);
    if (rule.runs & (2u << i)) append(rule.run[i + 1]);
  }
  return state;
}

void CubePruning::push_neighbours(std::uint32_t candidate) {
  const auto [cube, a, b] = std::tuple(candidates_[candidate].cube, candidates_[candidate].at[0], candidates_[candidate].at[1]);
  const Cube& instance = cubes_[cube];
  const auto push = [&](int axis, std::uint16_t i, std::uint16_t j) {
    if (axis >= instance.rule->arity) return;
    if ((axis == 0 ? i : j) >= instance.sizes[axis]) return;
    // With an index at 0 there is only one way to a candidate.
    if (i > 0 && j > 0 && !is_new(cube, i, j)) return;
    score_candidate(cube, i, j);
    std::push_heap(heap_.begin(), heap_.end());
  };
  push(0, static_cast<std::uint16_t>(a + 1), b);
  push(1, a, static_cast<std::uint16_t>(b + 1));
}

bool CubePruning::is_new(std::uint32_t cube, std::uint16_t a, std::uint16_t b) {
  if (2 * ++seen_count_ > seen_.size()) {
    std::vector<SeenSlot> old(2 * seen_.size());
    old.swap(seen_);
    for (const SeenSlot& entry : old) {
      if (entry.generation != generation_) continue;
      std::size_t slot = mix(entry.key) & (seen_.size() - 1);
      while (seen_[slot].generation == generation_) slot = (slot + 1) & (seen_.size() - 1);
      seen_[slot] = entry;
    }
  }
  const std::uint64_t key = (std::uint64_t{cube} << 32) | (std::uint64_t{a} << 16) | b;
  std::size_t slot = mix(key) & (seen_.size() - 1);
  for (; seen_[slot].generation == generation_; slot = (slot + 1) & (seen_.size() - 1))
    if (seen_[slot].key == key) return false;
  seen_[slot] = {key, generation_};
  return true;
}

void CubePruning::take(const Candidate& candidate) {
  auto& edges = chart_.all_edges();
  Item& item = items_[item_of(candidate.state)];
  const Cube& cube = cubes_[candidate.cube];
  Edge edge{cube.rule->rule, {kNone, kNone}, kNone, candidate.score, candidate.lm};
  for (int i = 0; i < cube.rule->arity; ++i) edge.tails[i] = static_cast<ItemId>(cube.children[i] + candidate.at[i] - chart_.all_items().data());
  const auto id = static_cast<std::uint32_t>(edges.size());
  // The best edge stands first. Candidates come out of the heap nearly, but not exactly, in the order of their scores.
  if (item.first_edge == kNone || candidate.score > item.score) {
    edge.next = item.first_edge;
    item.first_edge = id;
    item.score = candidate.score;
  } else {
    edge.next = edges[item.first_edge].next;
    edges[item.first_edge].next = id;
  }
  edges.push_back(edge);
}

std::uint32_t CubePruning::item_of(ChartState state) {
  if (2 * (items_.size() + 1) > states_.size()) {
    states_.assign(2 * states_.size(), StateSlot{});
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      std::size_t slot = mix(items_[i].state.bits()) & (states_.size() - 1);
      while (states_[slot].generation == generation_) slot = (slot + 1) & (states_.size() - 1);
      states_[slot] = {items_[i].state, i, generation_};
    }
  }
  std::size_t slot = mix(state.bits()) & (states_.size() - 1);
  for (; states_[slot].generation == generation_; slot = (slot + 1) & (states_.size() - 1))
    if (states_[slot].state == state) return states_[slot].item;
  const auto item = static_cast<std::uint32_t>(items_.size());
  states_[slot] = {state, item, generation_};
  items_.push_back({0, state, kNone, 0});
  return item;
}

// Moves the items into the chart, best first; equal scores in the order in which they were found.
void CubePruning::store(CellId cell) {
  order_.resize(items_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::ranges::stable_sort(order_, [this](std::uint32_t a, std::uint32_t b) { return items_[a].score > items_[b].score; });
  auto& all = chart_.all_items();
  Cell& filled = chart_.mutable_cell(cell);
  filled.first = static_cast<ItemId>(all.size());
  filled.count = static_cast<std::uint32_t>(items_.size());
  for (const std::uint32_t i : order_) {
    all.push_back(items_[i]);
    all.back().cell = cell;
  }
}

}  // namespace demotic
