#include "decode/cube_pruning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>

#include "base/error.hpp"

namespace demotic {
namespace {

// Candidates name an item of a cell by 16 bits. Leaving the rest out would make exhaustive search a
// lie.
std::uint32_t combinable(const Cell& cell) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint16_t>::max();
  if (cell.count > kMost)
    throw Error("words " + std::to_string(cell.begin + 1) + " to " + std::to_string(cell.end) +
                    " have " + std::to_string(cell.count) +
                    " partial translations, and search can combine at most " +
                    std::to_string(kMost),
                "choose a pop limit from 1 to " + std::to_string(kMost) +
                    " (exhaustive search is for short sentences and small grammars)");
  return cell.count;
}

}  // namespace

void CubePruning::fill(CellId cell, std::span<const Match> matches, const DecodeOptions& options,
                       double lm_weight) {
  const std::uint32_t pop_limit = options.pop_limit;
  lm_weight_ = lm_weight;
  items_.clear();
  item_of_state_.clear();
  seen_.clear();
  candidates_.clear();
  heap_.clear();
  corners_.clear();

  add_cubes(matches);
  if (options.lazy_corners > 0 && pop_limit > 0)
    rank_corners(options.lazy_corners * std::abs(lm_weight));
  else
    score_corners(pop_limit);
  for (std::uint32_t pops = 0; pop_limit == 0 || pops < pop_limit; ++pops) {
    score_promising_corners();
    if (heap_.empty()) break;
    const std::uint32_t best = heap_.front().number();
    take(candidates_[best]);
    replace_by_neighbours(best);
  }
  store(cell);
}

void CubePruning::add_cubes(std::span<const Match> matches) {
  cubes_.clear();
  for (const Match& match : matches) {
    const Item* children[2] = {nullptr, nullptr};
    std::uint32_t sizes[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      if (match.children[i] == kNone) continue;
      const Cell& cell = chart_.cell(match.children[i]);
      children[i] = chart_.items(cell).data();
      sizes[i] = combinable(cell);
    }
    for (const ScoredRule& rule : match.rules)
      cubes_.push_back({&rule, {children[0], children[1]}, {sizes[0], sizes[1]}});
  }
}

void CubePruning::score_corners(std::uint32_t pop_limit) {
  for (std::uint32_t cube = 0; cube < cubes_.size(); ++cube)
    heap_.push_back(score_candidate(cube, 0, 0));
  // Corners behind the pop limit would never be taken: as many better ones are in the heap already.
  if (pop_limit > 0 && heap_.size() > pop_limit) {
    std::nth_element(heap_.begin(), heap_.begin() + pop_limit, heap_.end(), std::greater<>());
    heap_.erase(heap_.begin() + pop_limit, heap_.end());
  }
  std::make_heap(heap_.begin(), heap_.end());
}

// What a corner promises: its score without the junctions of the language model, and `gain` for
// each of them.
void CubePruning::rank_corners(double gain) {
  for (std::uint32_t cube = 0; cube < cubes_.size(); ++cube) {
    const auto& [rule, children, sizes] = cubes_[cube];
    const int joints = rule->arity == 0 ? 0 : std::popcount(rule->runs) + (rule->arity == 2);
    float score = rule->score + static_cast<float>(gain * joints);
    for (int i = 0; i < rule->arity; ++i) score += children[i]->score;
    corners_.emplace_back(score, cube);
  }
  std::make_heap(corners_.begin(), corners_.end());
}

// Scores corners as long as one promises more than the best candidate.
void CubePruning::score_promising_corners() {
  while (!corners_.empty() && (heap_.empty() || corners_.front().score() > heap_.front().score())) {
    const std::uint32_t cube = corners_.front().number();
    std::pop_heap(corners_.begin(), corners_.end());
    corners_.pop_back();
    heap_.push_back(score_candidate(cube, 0, 0));
    std::push_heap(heap_.begin(), heap_.end());
  }
}

CubePruning::Ranked CubePruning::score_candidate(std::uint32_t cube, std::uint16_t a,
                                                 std::uint16_t b) {
  const Cube& instance = cubes_[cube];
  const ScoredRule& rule = *instance.rule;
  const auto number = static_cast<std::uint32_t>(candidates_.size());
  if (rule.arity == 0) {
    candidates_.push_back({rule.score, rule.lm, rule.run[0], cube, {0, 0}});
    return {rule.score, number};
  }
  const Item& first = instance.children[0][a];
  const Item* const second = rule.arity == 2 ? &instance.children[1][b] : nullptr;
  float change = 0;
  const ChartState state =
      rule.swapped ? apply(rule, second->state, &first.state, change)
                   : apply(rule, first.state, second != nullptr ? &second->state : nullptr, change);
  float score = rule.score + first.score;
  if (second != nullptr) score += second->score;
  score += static_cast<float>(lm_weight_ * change);
  candidates_.push_back({score, rule.lm + change, state, cube, {a, b}});
  return {score, number};
}

// The state of the rule's target side with its nonterminals filled, in their order there; adds to
// `lm` what changes where the pieces meet.
ChartState CubePruning::apply(const ScoredRule& rule, const ChartState& first,
                              const ChartState* second, float& lm) {
  const auto join = [&](const ChartState& left, const ChartState& right) {
    const Merged merged = junctions_.merge(left, right);
    lm += merged.change;
    return merged.state;
  };
  ChartState state = (rule.runs & 1u) ? join(rule.run[0], first) : first;
  if (rule.runs & 2u) state = join(state, rule.run[1]);
  if (second != nullptr) {
    state = join(state, *second);
    if (rule.runs & 4u) state = join(state, rule.run[2]);
  }
  return state;
}

// Takes the candidate off the top of the heap and puts its neighbours in.
void CubePruning::replace_by_neighbours(std::uint32_t candidate) {
  const auto [cube, a, b] = std::tuple(candidates_[candidate].cube, candidates_[candidate].at[0],
                                       candidates_[candidate].at[1]);
  const Cube& instance = cubes_[cube];
  bool replaced = false;
  const auto push = [&](int axis, std::uint16_t i, std::uint16_t j) {
    if (axis >= instance.rule->arity) return;
    if ((axis == 0 ? i : j) >= instance.sizes[axis]) return;
    // With an index at 0 there is only one way to a candidate.
    if (i > 0 && j > 0 && !is_new(cube, i, j)) return;
    const Ranked entry = score_candidate(cube, i, j);
    if (!replaced) {
      replace_top(entry);
      replaced = true;
    } else {
      heap_.push_back(entry);
      std::push_heap(heap_.begin(), heap_.end());
    }
  };
  push(0, static_cast<std::uint16_t>(a + 1), b);
  push(1, a, static_cast<std::uint16_t>(b + 1));
  if (!replaced) {
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }
}

// A neighbour is little worse than what it replaces, so it does not sink far.
void CubePruning::replace_top(Ranked entry) {
  std::size_t place = 0;
  for (std::size_t child = 1; child < heap_.size(); child = 2 * place + 1) {
    if (child + 1 < heap_.size() && heap_[child] < heap_[child + 1]) ++child;
    if (heap_[child] < entry) break;
    heap_[place] = heap_[child];
    place = child;
  }
  heap_[place] = entry;
}

void CubePruning::take(const Candidate& candidate) {
  auto& edges = chart_.all_edges();
  Item& item = item_of(candidate.state);
  const Cube& cube = cubes_[candidate.cube];
  Edge edge{cube.rule->rule, {kNone, kNone}, kNone, candidate.score, candidate.lm};
  for (int i = 0; i < cube.rule->arity; ++i)
    edge.tails[i] =
        static_cast<ItemId>(cube.children[i] + candidate.at[i] - chart_.all_items().data());
  const auto id = static_cast<std::uint32_t>(edges.size());
  // The best edge stands first. Candidates come out of the heap nearly, but not exactly, in the
  // order of their scores.
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

Item& CubePruning::item_of(ChartState state) {
  const auto [number, is_new] =
      item_of_state_.insert(state.bits(), static_cast<std::uint32_t>(items_.size()));
  if (is_new) items_.push_back({0, state, kNone, 0});
  return items_[*number];
}

// Moves the items into the chart, best first; equal scores in the order in which they were found.
void CubePruning::store(CellId cell) {
  order_.clear();
  for (std::uint32_t i = 0; i < items_.size(); ++i) order_.emplace_back(items_[i].score, i);
  std::ranges::sort(order_, std::greater<>());
  auto& all = chart_.all_items();
  Cell& filled = chart_.mutable_cell(cell);
  filled.first = static_cast<ItemId>(all.size());
  filled.count = static_cast<std::uint32_t>(items_.size());
  for (const Ranked& entry : order_) {
    all.push_back(items_[entry.number()]);
    all.back().cell = cell;
  }
}

}  // namespace demotic
