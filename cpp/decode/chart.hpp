// The chart: items (a span, a label, the states of the language models) and the edges that lead to
// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/border_state.hpp"
#include "decode/rule_book.hpp"
#include "lm/state.hpp"

namespace demotic {

using ItemId = std::uint32_t;
using CellId = std::uint32_t;
constexpr std::uint32_t kNone = ~0u;

// One application of a rule. Tails in the order of the source side.
struct Edge {
  RuleId rule;
  ItemId tails[2];     // kNone: not there
  std::uint32_t next;  // the next edge of the same item, or kNone
  float score;         // of the best derivation through this edge
  float lm;            // what this rule adds to the first language model's log10 probability
};

struct Item {
  float score;               // of its best derivation
  ChartState state;          // of the first language model
  std::uint32_t first_edge;  // the best one
  CellId cell;
};

// The items of one label over one span, best first.
struct Cell {
  std::uint16_t begin, end;
  std::uint16_t label;
  ItemId first = 0;
  std::uint32_t count = 0;
};

// Memory is kept from sentence to sentence.
class Chart {
 public:
  // A label's cells exist for all spans up to `max_span`; those of the goal label also for every
  // span from 0.
  void reset(std::uint32_t words, std::uint32_t max_span, std::uint32_t labels,
             std::uint32_t goal_label);

  std::uint32_t words() const { return words_; }
  std::uint32_t labels() const { return labels_; }
  std::uint32_t max_span() const { return max_span_; }
  // begin < end; for spans longer than max_span: begin = 0 and the goal label.
  CellId cell_id(std::uint32_t begin, std::uint32_t end, std::uint32_t label) const {
    const std::uint32_t length = end - begin;
    return length <= max_span_ ? (begin * max_span_ + length - 1) * labels_ + label
                               : long_cells_ + end;
  }
  const Cell& cell(CellId id) const { return cells_[id]; }
  std::span<const Item> items(const Cell& cell) const {
    return std::span(items_).subspan(cell.first, cell.count);
  }

  std::vector<Item>& all_items() { return items_; }
  const std::vector<Item>& all_items() const { return items_; }
  const std::vector<Edge>& all_edges() const { return edges_; }

  // The best edge of an item stands first: candidates come nearly, but not exactly, in the order of
  // their scores.
  void add_edge(Item& item, Edge edge) {
    const auto id = static_cast<std::uint32_t>(edges_.size());
    if (item.first_edge == kNone || edge.score > item.score) {
      edge.next = item.first_edge;
      item.first_edge = id;
      item.score = edge.score;
    } else {
      edge.next = edges_[item.first_edge].next;
      edges_[item.first_edge].next = id;
    }
    edges_.push_back(edge);
  }

  Cell& mutable_cell(CellId id) { return cells_[id]; }

  // Words at the borders of each item, if features need them.
  std::vector<BorderWords>& borders() { return borders_; }
  // Further language models, as many values for each item and edge as there are models.
  std::vector<ChartState>& further_states() { return further_states_; }
  std::vector<float>& further_lm() { return further_lm_; }
  const std::vector<ChartState>& further_states() const { return further_states_; }
  const std::vector<float>& further_lm() const { return further_lm_; }

 private:
  std::uint32_t words_ = 0, max_span_ = 0, labels_ = 0;
  CellId long_cells_ = 0;
  std::vector<Cell> cells_;
  std::vector<Item> items_;
  std::vector<Edge> edges_;
  std::vector<BorderWords> borders_;        // by item
  std::vector<ChartState> further_states_;  // by item
  std::vector<float> further_lm_;           // by edge
};

}  // namespace demotic
