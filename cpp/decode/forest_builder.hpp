// From the chart of a finished search to a forest: what the goal can reach, in topological order.
#pragma once

#include <memory>
#include <vector>

#include "decode/chart.hpp"
#include "decode/hypergraph.hpp"
#include "decode/labels.hpp"
#include "decode/scored_rules.hpp"

namespace demotic {

class ForestBuilder {
 public:
  ForestBuilder(const Chart& chart, const LabelOrder& labels, const RuleBook& book,
                const TargetWords& words, const TargetModels& models)
      : chart_(chart), labels_(labels), book_(book), words_(words), models_(models) {}

  // Throws Error if no derivation covers the sentence.
  std::shared_ptr<Forest> build(std::shared_ptr<const RuleBook> book,
                                std::shared_ptr<const DecodeOptions> options);

 private:
  void mark_reachable(const Cell& top);
  void add_nodes(const Cell& top);
  void add_goal(const Cell* top);
  float end_of_sentence(std::size_t model, ItemId item) const;
  std::uint32_t use(RuleId rule);
  std::uint32_t oov_words(const UsedRule& used) const;

  const Chart& chart_;
  const LabelOrder& labels_;
  const RuleBook& book_;
  const TargetWords& words_;
  const TargetModels& models_;
  std::shared_ptr<Forest> forest_;
  std::vector<bool> reached_;           // items
  std::vector<NodeId> node_of_;         // items
  std::vector<std::uint32_t> rule_of_;  // rules of the book
};

}  // namespace demotic
