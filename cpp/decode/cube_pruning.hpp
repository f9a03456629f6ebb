// Cube pruning (Chiang 2007, section 5.3): the best items of a cell from all rules that match its
// span.
//
// Each rule with its two child cells spans a grid of candidates, ordered along both axes by the
// children's scores. The candidates at the corners are scored with the language model, and the best
// are taken from a heap, each leaving its two neighbours there, until the pop limit. Taken
// candidates with the same state become edges of one item.
//
// With lazy corners (DecodeOptions::lazy_corners) a corner meets the language model when its score
// without junctions, plus a fixed gain for each junction, is the best that is left. Junctions that
// gain more are found too late: an approximation.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/probe_table.hpp"
#include "decode/border_scorer.hpp"
#include "decode/chart.hpp"
#include "decode/junction_cache.hpp"
#include "decode/options.hpp"
#include "decode/scored_rules.hpp"

namespace demotic {

// A source side that matches a span: its rules, and the cells of its nonterminals.
struct Match {
  std::span<const ScoredRule> rules;
  CellId children[2];  // kNone: not there
};

class CubePruning {
 public:
  // `further`: the rules of the current sentence as further models see them.
  CubePruning(const TargetModels& models, const FurtherRules& further, Chart& chart);

  // From now on items also differ by the words at their borders, whose bigrams are scored; null:
  // they do not.
  void use_borders(BorderScorer* borders) {
    borders_ = borders;
    has_further_states_ = further_models_ > 0 || borders != nullptr;
  }

  // Fills a cell. `weights` turn log10 probabilities into scores. Of the options, the pop limit
  // and lazy corners matter.
  void fill(CellId cell, std::span<const Match> matches, const DecodeOptions& options,
            const DenseWeights& weights);

 private:
  struct Candidate {
    float score, lm;
    ChartState state;
    std::uint32_t cube;   // in cubes_
    std::uint16_t at[2];  // which item of each child, from the best
  };
  struct FurtherCandidate {  // of one further model
    ChartState state;
    float lm;
  };
  struct Cube {
    const ScoredRule* rule;
    const Item* children[2];  // items of the child cells, best first; the chart's items do not move
                              // while a cell is filled
    std::uint32_t sizes[2];
  };
  // The number of a candidate or an item behind its score, as one integer, so that a comparison is
  // one instruction: larger for a better score and, of equal scores, for the one that came up
  // first. std heaps keep the largest on top.
  class Ranked {
   public:
    Ranked(float score, std::uint32_t number)
        : bits_(std::uint64_t{ordered(score)} << 32 | ~number) {}
    std::uint32_t number() const { return ~static_cast<std::uint32_t>(bits_); }
    // Larger for a better score.
    std::uint32_t score() const { return static_cast<std::uint32_t>(bits_ >> 32); }
    auto operator<=>(const Ranked&) const = default;

   private:
    // The bits of floats order them like integers, the negative ones the other way round.
    static std::uint32_t ordered(float score) {
      const auto bits = std::bit_cast<std::uint32_t>(score + 0.0f);  // + 0: no negative zero
      return bits ^ ((bits >> 31) != 0 ? ~0u : 1u << 31);
    }
    std::uint64_t bits_;
  };

  void add_cubes(std::span<const Match> matches);
  void score_corners(std::uint32_t pop_limit);
  void rank_corners(double log10);
  void score_promising_corners();
  Ranked score_candidate(std::uint32_t cube, std::uint16_t a, std::uint16_t b);
  float score_further(const Cube& cube, std::uint16_t a, std::uint16_t b);
  double score_borders(const Cube& cube, std::uint16_t a, std::uint16_t b);
  static ChartState apply(JunctionCache& junctions, const ScoredRule& rule,
                          const std::array<ChartState, 3>& run, const ChartState& first,
                          const ChartState* second, float& lm);
  void replace_by_neighbours(std::uint32_t candidate);
  bool is_new(std::uint32_t cube, std::uint16_t a, std::uint16_t b) {
    return seen_.insert(std::uint64_t{cube} << 32 | std::uint64_t{a} << 16 | b, {}).second;
  }
  void take(std::uint32_t number);
  Item& item_of(std::uint32_t candidate);
  std::uint32_t item_of_all_states(std::uint32_t candidate);
  void store(CellId cell);

  JunctionCache junctions_;
  const std::size_t further_models_;
  std::vector<JunctionCache> further_junctions_;  // one for each further model
  const FurtherRules& further_rules_;
  BorderScorer* borders_ = nullptr;
  bool has_further_states_ =
      further_models_ > 0;  // items differ by more than the state of the first model
  Chart& chart_;
  double lm_weight_ = 0;
  std::span<const double> further_weights_;

  // Working memory of one cell.
  std::vector<Cube> cubes_;
  std::vector<Candidate> candidates_;
  std::vector<Ranked> heap_;
  std::vector<Ranked>
      corners_;  // lazy: cubes whose corner has not been scored, by what it promises
  std::vector<Item> items_;
  std::vector<Ranked> order_;
  KeyTable<std::uint32_t> item_of_state_;  // in items_; with one model and no borders
  // Further models: as many values as there are models for each candidate and item.
  std::vector<FurtherCandidate> further_candidates_;
  std::vector<ChartState> further_states_;                     // of items_
  std::vector<BorderWords> border_candidates_, item_borders_;  // if there are borders
  NumberTable item_of_states_;                                 // in items_; else
  struct Nothing {};
  KeyTable<Nothing> seen_;  // candidates with both indices above 0
};

}  // namespace demotic
