// Cube pruning (Chiang 2007, section 5.3): the best items of a cell from all rules that match its span.
//
// Each rule with its two child cells spans a grid of candidates, ordered along both axes by the children's scores. The
// candidates at the corners are scored with the language model, and the best are taken from a heap, each leaving its two
// neighbours there, until the pop limit. Taken candidates with the same state become edges of one item.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/chart.hpp"
#include "decode/junction_cache.hpp"
#include "decode/scored_rules.hpp"

namespace demotic {

// A source side that matches a span: its rules, and the cells of its nonterminals.
struct Match {
  std::span<const ScoredRule> rules;
  CellId children[2];  // kNone: not there
};

class CubePruning {
 public:
  CubePruning(const Model& lm, Chart& chart) : junctions_(lm), chart_(chart) {}

  // Fills a cell. `pop_limit` 0: all candidates. `lm_weight` turns log10 probabilities into scores.
  void fill(CellId cell, std::span<const Match> matches, std::uint32_t pop_limit, double lm_weight);

  JunctionCache& junctions() { return junctions_; }

 private:
  struct Candidate {
    float score, lm;
    ChartState state;
    std::uint32_t cube;        // in cubes_
    std::uint16_t at[2];       // which item of each child, from the best
  };
  struct Cube {
    const ScoredRule* rule;
    const Item* children[2];  // items of the child cells, best first; the chart's items do not move while a cell is filled
    std::uint32_t sizes[2];
  };
  struct HeapEntry {
    float score;
    std::uint32_t candidate;
    // Equal scores: the candidate that came up first. std heaps keep the largest on top.
    bool operator<(const HeapEntry& other) const { return score != other.score ? score < other.score : candidate > other.candidate; }
  };

  void score_corners(std::span<const Match> matches, std::uint32_t pop_limit);
  void score_candidate(std::uint32_t cube, std::uint16_t a, std::uint16_t b);
  ChartState apply(const ScoredRule& rule, const ChartState* const states[2], float& lm);
  void push_neighbours(std::uint32_t candidate);
  bool is_new(std::uint32_t cube, std::uint16_t a, std::uint16_t b);
  void take(const Candidate& candidate);
  std::uint32_t item_of(ChartState state);
  void store(CellId cell);

  JunctionCache junctions_;
  Chart& chart_;
  double lm_weight_ = 0;

  // Working memory of one cell.
  std::vector<Cube> cubes_;
  std::vector<Candidate> candidates_;
  std::vector<HeapEntry> heap_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> order_;
  struct StateSlot {
    ChartState state;
    std::uint32_t item = 0, generation = 0;
  };
  struct SeenSlot {
    std::uint64_t key = 0;
    std::uint32_t generation = 0;
  };
  std::vector<StateSlot> states_;  // open addressing; slots of older generations are free
  std::vector<SeenSlot> seen_;
  std::size_t seen_count_ = 0;
  std::uint32_t generation_ = 0;
};

}  // namespace demotic
