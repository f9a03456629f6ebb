// Forced decoding: fills the cells of the chart with all derivations that yield a part of the
// reference. What cube pruning is to search, this is to a parse of source and reference together.
//
// An item is a part [begin, end) of the reference. Nothing is pruned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/probe_table.hpp"
#include "decode/chart.hpp"
#include "decode/cube_pruning.hpp"
#include "decode/reference_text.hpp"

namespace demotic {

class ReferenceCells {
 public:
  // `further`: the rules of the current sentence as further models see them.
  ReferenceCells(const FurtherRules& further, Chart& chart) : further_(further), chart_(chart) {}

  // A new sentence. All of them must outlive the parse.
  void reset(ReferenceText& reference, const RuleBook& book, const DenseWeights& weights);

  // Fills a cell with all items that its matches lead to; with `whole`: only with that of the whole
  // reference.
  void fill(CellId cell, std::span<const Match> matches, bool whole);

 private:
  struct Part {
    std::uint32_t begin, end;  // in the reference
    auto operator<=>(const Part&) const = default;
  };
  // A rule whose target side is being read along the reference.
  struct Partial {
    const ScoredRule* rule;
    std::span<const Symbol> target;
    const CellId* children;
    Part part;
    ItemId tails[2];  // in the order of the source side
  };

  void match(const ScoredRule& rule, const CellId* children);
  void match_own(const ScoredRule& rule);
  void read(Partial partial, std::size_t symbol);
  void read_child(const Partial& partial, std::size_t symbol);
  std::span<const Part> parts_of(CellId cell) const;
  void add(const Partial& found);
  float edge_score(const Partial& found, float lm);
  float added(std::size_t model, const Partial& found);
  Item& item_of(const Part& part);
  void store(CellId cell);

  const FurtherRules& further_;
  Chart& chart_;
  ReferenceText* reference_ = nullptr;
  const RuleBook* book_ = nullptr;
  const DenseWeights* weights_ = nullptr;
  std::vector<Part> parts_;  // of all items of the chart

  // Working memory of one cell.
  bool whole_ = false;
  std::vector<Item> items_;
  std::vector<Part> item_parts_;
  std::vector<std::uint32_t> order_;
  KeyTable<std::uint32_t> item_of_part_;  // in items_
};

}  // namespace demotic
