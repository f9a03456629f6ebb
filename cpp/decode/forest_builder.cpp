#include "decode/forest_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "decode/border_features.hpp"

namespace demotic {

std::shared_ptr<Forest> ForestBuilder::build(std::shared_ptr<const RuleBook> book,
                                             std::shared_ptr<const DecodeOptions> options) {
  forest_ = std::make_shared<Forest>(
      Forest{std::move(book), std::move(options), labels_.names(), {}, {}, {}, {}});
  rule_of_.assign(book_.size(), kNone);
  if (chart_.words() == 0) {
    add_goal(nullptr);
    forest_->borders = BorderFeatures::of(*forest_);
    return forest_;
  }
  const Cell& top = chart_.cell(chart_.cell_id(0, chart_.words(), labels_.goal()));
  if (top.count == 0)
    throw Error("no derivation covers the sentence '" + book_.sentence().front() +
                    (chart_.words() > 1 ? " ...'" : "'"),
                "does the grammar have rules for all of its words? pass-through rules help");
  mark_reachable(top);
  add_nodes(top);
  add_goal(&top);
  check_depth(*forest_);
  forest_->borders = BorderFeatures::of(*forest_);
  return forest_;
}

// Items are stored after those they are built from: one pass from the top down reaches all.
void ForestBuilder::mark_reachable(const Cell& top) {
  const auto& items = chart_.all_items();
  reached_.assign(items.size(), false);
  for (ItemId i = top.first; i < top.first + top.count; ++i) reached_[i] = true;
  for (ItemId i = top.first + top.count; i-- > 0;) {
    if (!reached_[i]) continue;
    for (std::uint32_t e = items[i].first_edge; e != kNone; e = chart_.all_edges()[e].next)
      for (const ItemId tail : chart_.all_edges()[e].tails)
        if (tail != kNone) reached_[tail] = true;
  }
}

void ForestBuilder::add_nodes(const Cell& top) {
  const auto& items = chart_.all_items();
  const std::size_t models = models_.size() - 1;
  node_of_.assign(items.size(), kNone);
  for (ItemId i = 0; i < top.first + top.count; ++i) {
    if (!reached_[i]) continue;
    const NodeId node = node_of_[i] = static_cast<NodeId>(forest_->nodes.size());
    const auto first = static_cast<std::uint32_t>(forest_->edges.size());
    for (std::uint32_t e = items[i].first_edge; e != kNone; e = chart_.all_edges()[e].next) {
      const Edge& edge = chart_.all_edges()[e];
      const auto tail = [&](int t) {
        return edge.tails[t] == kNone ? kNone : node_of_[edge.tails[t]];
      };
      forest_->edges.push_back({use(edge.rule), node, {tail(0), tail(1)}, edge.lm});
      for (std::size_t i = e * models; i < (e + 1) * models; ++i)
        forest_->further_lm.push_back(chart_.further_lm()[i]);
    }
    const Cell& cell = chart_.cell(items[i].cell);
    forest_->nodes.push_back({first, static_cast<std::uint32_t>(forest_->edges.size()), cell.begin,
                              cell.end, cell.label});
  }
}

// The sentence between its marks. `top` is null for the empty sentence.
void ForestBuilder::add_goal(const Cell* top) {
  const auto goal = static_cast<NodeId>(forest_->nodes.size());
  const auto first = static_cast<std::uint32_t>(forest_->edges.size());
  const std::uint32_t rule = use(book_.goal());
  const auto add = [&](ItemId item, NodeId tail) {
    forest_->edges.push_back({rule, goal, {tail, kNone}, end_of_sentence(0, item)});
    for (std::size_t model = 1; model < models_.size(); ++model)
      forest_->further_lm.push_back(end_of_sentence(model, item));
  };
  if (top == nullptr) add(kNone, kNone);
  for (ItemId i = top ? top->first : 0, end = top ? top->first + top->count : 0; i < end; ++i)
    add(i, node_of_[i]);
  forest_->nodes.push_back({first, static_cast<std::uint32_t>(forest_->edges.size()), 0,
                            static_cast<std::uint16_t>(chart_.words()),
                            static_cast<std::uint16_t>(labels_.goal())});
}

// What a model adds when an item is put between the marks of the sentence; kNone: the empty one.
float ForestBuilder::end_of_sentence(std::size_t model, ItemId item) const {
  const Model& lm = *models_[model].lm;
  const ChartState begin = lm.begin_piece();
  if (item == kNone) return lm.end(begin);
  const ChartState state = model == 0
                               ? chart_.all_items()[item].state
                               : chart_.further_states()[item * (models_.size() - 1) + model - 1];
  const Merged merged = lm.merge(begin, state);
  return merged.change + lm.end(merged.state);
}

std::uint32_t ForestBuilder::use(RuleId rule) {
  if (rule_of_[rule] == kNone) {
    rule_of_[rule] = static_cast<std::uint32_t>(forest_->rules.size());
    UsedRule& used = forest_->rules.emplace_back(book_, rule, 0);
    used.oov = oov_words(used);
  }
  return rule_of_[rule];
}

std::uint32_t ForestBuilder::oov_words(const UsedRule& used) const {
  if (used.kind == RuleKind::kPassThrough || used.kind == RuleKind::kForced)
    return static_cast<std::uint32_t>(std::ranges::count_if(
        book_.read_as(used.rule),
        [this](const std::string& word) { return Model::is_oov(models_[0].token(word)); }));
  const auto unknown = [this](Symbol symbol) { return symbol >= 0 && words_.unknown(symbol); };
  return static_cast<std::uint32_t>(std::ranges::count_if(used.content.target, unknown));
}

}  // namespace demotic
