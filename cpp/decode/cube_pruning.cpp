#include "decode/cube_pruning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/heap.hpp"

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

CubePruning::CubePruning(const TargetModels& models, const FurtherRules& further, Chart& chart)
    : junctions_(*models.front().lm),
      further_models_(models.size() - 1),
      further_rules_(further),
      chart_(chart) {
  for (const TargetModel& model : std::span(models).subspan(1))
    further_junctions_.emplace_back(*model.lm);
}

void CubePruning::fill(CellId cell, std::span<const Match> matches, const DecodeOptions& options,
                       const DenseWeights& weights) {
  const std::uint32_t pop_limit = options.pop_limit;
  lm_weight_ = weights[DecoderFeature::kLanguageModel];
  further_weights_ = weights.further;
  items_.clear();
  item_of_state_.clear();
  seen_.clear();
  candidates_.clear();
  further_candidates_.clear();
  further_states_.clear();
  border_candidates_.clear();
  item_borders_.clear();
  item_of_states_.clear();
  heap_.clear();
  corners_.clear();

  add_cubes(matches);
  if (options.lazy_corners > 0 && pop_limit > 0)
    rank_corners(options.lazy_corners);
  else
    score_corners(pop_limit);
  for (std::uint32_t pops = 0; pop_limit == 0 || pops < pop_limit; ++pops) {
    score_promising_corners();
    if (heap_.empty()) break;
    const std::uint32_t best = heap_.front().number();
    take(best);
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

// What a corner promises: its score without the junctions of the language models, and a gain of
// `log10` in every model for each of them.
void CubePruning::rank_corners(double log10) {
  double gain = std::abs(lm_weight_);
  for (const double weight : further_weights_) gain += std::abs(weight);
  gain *= log10;
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

// The state of the rule's target side with its nonterminals filled, in their order there; adds to
// `lm` what changes where the pieces meet.
[[gnu::always_inline]] inline ChartState CubePruning::apply(JunctionCache& junctions,
                                                            const ScoredRule& rule,
                                                            const std::array<ChartState, 3>& run,
                                                            const ChartState& first,
                                                            const ChartState* second, float& lm) {
  const auto join = [&](const ChartState& left, const ChartState& right)
                        __attribute__((always_inline)) {
                          const Merged merged = junctions.merge(left, right);
                          lm += merged.change;
                          return merged.state;
                        };
  ChartState state = (rule.runs & 1u) ? join(run[0], first) : first;
  if (rule.runs & 2u) state = join(state, run[1]);
  if (second != nullptr) {
    state = join(state, *second);
    if (rule.runs & 4u) state = join(state, run[2]);
  }
  return state;
}

CubePruning::Ranked CubePruning::score_candidate(std::uint32_t cube, std::uint16_t a,
                                                 std::uint16_t b) {
  const Cube& instance = cubes_[cube];
  const ScoredRule& rule = *instance.rule;
  const auto number = static_cast<std::uint32_t>(candidates_.size());
  if (rule.arity == 0) {
    candidates_.push_back({rule.score, rule.lm, rule.run[0], cube, {0, 0}});
    if (has_further_states_) score_further(instance, 0, 0);
    return {rule.score, number};
  }
  const Item& first = instance.children[0][a];
  const Item* const second = rule.arity == 2 ? &instance.children[1][b] : nullptr;
  const ChartState* in_order[2] = {&first.state, second != nullptr ? &second->state : nullptr};
  if (rule.swapped) std::swap(in_order[0], in_order[1]);
  float change = 0;
  const ChartState state = apply(junctions_, rule, rule.run, *in_order[0], in_order[1], change);
  float score = rule.score + first.score;
  if (second != nullptr) score += second->score;
  score += static_cast<float>(lm_weight_ * change);
  if (has_further_states_) score += score_further(instance, a, b);
  candidates_.push_back({score, rule.lm + change, state, cube, {a, b}});
  return {score, number};
}

// Adds the states of a candidate in the further models, and the words at its borders; returns what
// changes in its score where its pieces meet.
float CubePruning::score_further(const Cube& cube, std::uint16_t a, std::uint16_t b) {
  const ScoredRule& rule = *cube.rule;
  const std::size_t models = further_models_;
  const auto states = [&](int child, std::uint16_t at) {
    const auto item =
        static_cast<std::size_t>(cube.children[child] + at - chart_.all_items().data());
    return chart_.further_states().data() + item * models;
  };
  const ChartState* first = rule.arity > 0 ? states(0, a) : nullptr;
  const ChartState* second = rule.arity > 1 ? states(1, b) : nullptr;
  if (rule.swapped) std::swap(first, second);
  const auto further = further_rules_.of(rule.rule);
  double score = 0;
  for (std::size_t model = 0; model < models; ++model) {
    float change = 0;
    const ChartState state =
        rule.arity == 0 ? further[model].run[0]
                        : apply(further_junctions_[model], rule, further[model].run, first[model],
                                second != nullptr ? second + model : nullptr, change);
    further_candidates_.push_back({state, further[model].lm + change});
    score += further_weights_[model] * change;
  }
  if (borders_ != nullptr) score += score_borders(cube, a, b);
  return static_cast<float>(score);
}

double CubePruning::score_borders(const Cube& cube, std::uint16_t a, std::uint16_t b) {
  const ScoredRule& rule = *cube.rule;
  const auto words = [&](int child, std::uint16_t at) {
    return &chart_.borders()[static_cast<std::size_t>(cube.children[child] + at -
                                                      chart_.all_items().data())];
  };
  const BorderWords* first = rule.arity > 0 ? words(0, a) : nullptr;
  const BorderWords* second = rule.arity > 1 ? words(1, b) : nullptr;
  if (rule.swapped) std::swap(first, second);
  double score = 0;
  border_candidates_.push_back(borders_->apply(rule.rule, first, second, score));
  return score;
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
      replace_top(heap_, entry, std::less<>());  // a neighbour is little worse than it was
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

void CubePruning::take(std::uint32_t number) {
  const Candidate& candidate = candidates_[number];
  Item& item = item_of(number);
  const Cube& cube = cubes_[candidate.cube];
  Edge edge{cube.rule->rule, {kNone, kNone}, kNone, candidate.score, candidate.lm};
  for (int i = 0; i < cube.rule->arity; ++i)
    edge.tails[i] =
        static_cast<ItemId>(cube.children[i] + candidate.at[i] - chart_.all_items().data());
  chart_.add_edge(item, edge);
  if (further_models_ == 0) return;
  const auto further =
      std::span(further_candidates_).subspan(number * further_models_, further_models_);
  for (const FurtherCandidate& each : further) chart_.further_lm().push_back(each.lm);
}

// The item with the states of a candidate; a new one if there is none.
Item& CubePruning::item_of(std::uint32_t candidate) {
  if (has_further_states_) return items_[item_of_all_states(candidate)];
  const ChartState state = candidates_[candidate].state;
  const auto [number, is_new] =
      item_of_state_.insert(state.bits(), static_cast<std::uint32_t>(items_.size()));
  if (is_new) items_.push_back({0, state, kNone, 0});
  return items_[*number];
}

std::uint32_t CubePruning::item_of_all_states(std::uint32_t candidate) {
  const std::size_t models = further_models_;
  const ChartState state = candidates_[candidate].state;
  const FurtherCandidate* const others = further_candidates_.data() + candidate * models;
  const auto same = [&](std::uint32_t item) {
    if (items_[item].state != state) return false;
    for (std::size_t i = 0; i < models; ++i)
      if (further_states_[item * models + i] != others[i].state) return false;
    return borders_ == nullptr || item_borders_[item] == border_candidates_[candidate];
  };
  const auto hash_of = [&](std::uint32_t item) {
    std::uint64_t hash = mix(items_[item].state.bits());
    for (std::size_t i = 0; i < models; ++i)
      hash = mix(hash ^ further_states_[item * models + i].bits());
    return borders_ == nullptr ? hash : mix(hash ^ item_borders_[item].bits());
  };
  std::uint64_t hash = mix(state.bits());
  for (std::size_t i = 0; i < models; ++i) hash = mix(hash ^ others[i].state.bits());
  if (borders_ != nullptr) hash = mix(hash ^ border_candidates_[candidate].bits());
  const auto next = static_cast<std::uint32_t>(items_.size());
  const auto [number, is_new] = item_of_states_.insert(hash, next, same, hash_of);
  if (is_new) {
    items_.push_back({0, state, kNone, 0});
    for (std::size_t i = 0; i < models; ++i) further_states_.push_back(others[i].state);
    if (borders_ != nullptr) item_borders_.push_back(border_candidates_[candidate]);
  }
  return number;
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
    if (!has_further_states_) continue;
    if (borders_ != nullptr) chart_.borders().push_back(item_borders_[entry.number()]);
    const auto states =
        std::span(further_states_).subspan(entry.number() * further_models_, further_models_);
    chart_.further_states().insert(chart_.further_states().end(), states.begin(), states.end());
  }
}

}  // namespace demotic
