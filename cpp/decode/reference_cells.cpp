#include "decode/reference_cells.hpp"

#include <algorithm>
#include <numeric>

#include "decode/derivation.hpp"

namespace demotic {

void ReferenceCells::reset(ReferenceText& reference, const RuleBook& book,
                           const DenseWeights& weights) {
  reference_ = &reference;
  book_ = &book;
  weights_ = &weights;
  parts_.clear();
}

void ReferenceCells::fill(CellId cell, std::span<const Match> matches, bool whole) {
  whole_ = whole;
  items_.clear();
  item_parts_.clear();
  item_of_part_.clear();
  for (const Match& each : matches)
    for (const ScoredRule& rule : each.rules) match(rule, each.children);
  store(cell);
}

// Begins wherever the first symbol of the target side stands in the reference.
void ReferenceCells::match(const ScoredRule& rule, const CellId* children) {
  if (OutputWords::has_own(book_->kind(rule.rule))) return match_own(rule);
  Partial partial{&rule, book_->content(rule.rule).target, children, {0, 0}, {kNone, kNone}};
  const auto begin_at = [&](std::uint32_t position) {
    partial.part = {position, position};
    read(partial, 0);
  };
  if (partial.target.empty()) {
    for (std::uint32_t i = 0; i <= reference_->size(); ++i) begin_at(i);
  } else if (const Symbol first = partial.target.front(); first >= 0) {
    for (const std::uint32_t i : reference_->positions(first)) begin_at(i);
  } else {
    std::uint32_t last = kNone;
    for (const Part& item : parts_of(children[first == nonterminal(1)]))
      if (item.begin != last) begin_at(last = item.begin);
  }
}

// Of the items of a cell, rising.
std::span<const ReferenceCells::Part> ReferenceCells::parts_of(CellId id) const {
  const Cell& cell = chart_.cell(id);
  return std::span(parts_).subspan(cell.first, cell.count);
}

// A rule that copies words of the sentence.
void ReferenceCells::match_own(const ScoredRule& rule) {
  const auto words = book_->read_as(rule.rule);
  const auto size = static_cast<std::uint32_t>(words.size());
  for (std::uint32_t i = 0; i + size <= reference_->size(); ++i) {
    const auto has = [&](std::uint32_t at) { return reference_->word(i + at) == words[at]; };
    std::uint32_t same = 0;
    while (same < size && has(same)) ++same;
    if (same == size) add({&rule, {}, nullptr, {i, i + size}, {kNone, kNone}});
  }
}

// Reads the target side from `symbol` on, behind the part that has been read.
void ReferenceCells::read(Partial partial, std::size_t symbol) {
  for (; symbol < partial.target.size(); ++symbol) {
    if (partial.target[symbol] < 0) return read_child(partial, symbol);
    if (!reference_->has(partial.part.end, partial.target[symbol])) return;
    ++partial.part.end;
  }
  add(partial);
}

void ReferenceCells::read_child(const Partial& partial, std::size_t symbol) {
  const int child = partial.target[symbol] == nonterminal(1);
  const auto items = parts_of(partial.children[child]);
  const std::uint32_t at = partial.part.end;
  for (const Part& item : std::ranges::equal_range(items, at, {}, &Part::begin)) {
    Partial longer = partial;
    longer.part.end = item.end;
    longer.tails[child] = static_cast<ItemId>(&item - parts_.data());
    read(longer, symbol + 1);
  }
}

void ReferenceCells::add(const Partial& found) {
  if (whole_ && found.part != Part{0, reference_->size()}) return;
  const float lm = added(0, found);
  const Edge edge{
      found.rule->rule, {found.tails[0], found.tails[1]}, kNone, edge_score(found, lm), lm};
  chart_.add_edge(item_of(found.part), edge);
  for (std::size_t model = 1; model <= further_.models(); ++model)
    chart_.further_lm().push_back(added(model, found));
}

// Of the best derivation. The rule's own score has the language models inside its runs of words.
float ReferenceCells::edge_score(const Partial& found, float lm) {
  double score = found.rule->score;
  score += (*weights_)[DecoderFeature::kLanguageModel] * (lm - found.rule->lm);
  for (std::size_t i = 0; i < further_.models(); ++i)
    score += weights_->further[i] * (added(i + 1, found) - further_.of(found.rule->rule)[i].lm);
  for (const ItemId tail : found.tails)
    if (tail != kNone) score += chart_.all_items()[tail].score;
  return static_cast<float>(score);
}

// The log10 probability that the rule adds to those of its tails.
float ReferenceCells::added(std::size_t model, const Partial& found) {
  float lm = reference_->piece(model, found.part.begin, found.part.end).lm;
  for (const ItemId tail : found.tails)
    if (tail != kNone) lm -= reference_->piece(model, parts_[tail].begin, parts_[tail].end).lm;
  return lm;
}

Item& ReferenceCells::item_of(const Part& part) {
  const auto [number, is_new] = item_of_part_.insert(std::uint64_t{part.begin} << 32 | part.end,
                                                     static_cast<std::uint32_t>(items_.size()));
  if (is_new) {
    items_.push_back({0, reference_->piece(0, part.begin, part.end).state, kNone, 0});
    item_parts_.push_back(part);
  }
  return items_[*number];
}

// Moves the items into the chart, in the order of their parts, by which they are found again.
void ReferenceCells::store(CellId cell) {
  order_.resize(items_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::ranges::sort(order_, {}, [this](std::uint32_t i) { return item_parts_[i]; });
  Cell& filled = chart_.mutable_cell(cell);
  filled.first = static_cast<ItemId>(chart_.all_items().size());
  filled.count = static_cast<std::uint32_t>(items_.size());
  for (const std::uint32_t i : order_) {
    chart_.all_items().push_back(items_[i]);
    chart_.all_items().back().cell = cell;
    parts_.push_back(item_parts_[i]);
    for (std::size_t model = 1; model <= further_.models(); ++model)
      chart_.further_states().push_back(
          reference_->piece(model, item_parts_[i].begin, item_parts_[i].end).state);
  }
}

}  // namespace demotic
