// The derivations that search found, packed: nodes are items of the chart, edges are applications
// of rules.
//
// A hypergraph does not change after its construction. Other weights give another hypergraph with
// the same structure.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/identity.hpp"
#include "decode/chart.hpp"
#include "decode/rule_book.hpp"
#include "decode/scored_rules.hpp"

namespace demotic {

using NodeId = std::uint32_t;
class BorderFeatures;

struct HyperNode {
  std::uint32_t edges_begin, edges_end;
  std::uint16_t begin, end;  // source span
  std::uint16_t label;
};

struct HyperEdge {
  std::uint32_t rule;  // in Forest::rules
  NodeId head;
  NodeId tails[2];  // kNone: not there; in the order of the source side
  float lm;         // log10 probability that this rule adds, of the first language model
};

// A rule of the RuleBook, with what derivations ask for again and again.
struct UsedRule {
  RuleId rule;
  std::uint32_t oov;  // target words unknown to the language model
  RuleKind kind;
  bool swapped;         // the second nonterminal of the source side comes first on the target side
  std::uint16_t words;  // target words; of a forced rule those that the language model reads
  RuleBook::Content content;  // lies in the grammar, which the RuleBook keeps alive

  UsedRule(const RuleBook& book, RuleId id, std::uint32_t oov_words);
  // Value of a decoder feature that depends on the rule alone; 0 for the language model's.
  double decoder_feature(DecoderFeature feature) const;
};

// Nodes are in topological order: tails before heads, the goal last. The edges of a node stand
// together.
struct Forest {
  std::shared_ptr<const RuleBook> book;
  std::shared_ptr<const DecodeOptions> options;
  std::vector<std::string> labels;
  std::vector<HyperNode> nodes;
  std::vector<HyperEdge> edges;
  std::vector<UsedRule> rules;
  std::vector<float> further_lm;  // of further language models: as many values for each edge
  std::shared_ptr<const BorderFeatures> borders = nullptr;  // null: no template asks for them
  std::uint64_t identity = new_identity();  // lists of derivations say which forest they speak of

  std::size_t further_models() const { return options->further_models.size(); }
  // The log10 probabilities that an edge adds in the further models.
  std::span<const float> further(std::size_t edge) const {
    return std::span(further_lm).subspan(edge * further_models(), further_models());
  }
  NodeId goal() const { return static_cast<NodeId>(nodes.size() - 1); }
  std::span<const HyperEdge> edges_of(NodeId node) const {
    return std::span(edges).subspan(nodes[node].edges_begin,
                                    nodes[node].edges_end - nodes[node].edges_begin);
  }
  static int arity(const HyperEdge& edge) {
    return (edge.tails[0] != kNone) + (edge.tails[1] != kNone);
  }
  // Tails in the order of the target side.
  std::array<NodeId, 2> target_tails(const HyperEdge& edge) const {
    const bool swapped = rules[edge.rule].swapped;
    return {edge.tails[swapped], edge.tails[!swapped]};
  }
  // Value of a decoder feature on an edge.
  double decoder_feature(DecoderFeature feature, const HyperEdge& edge) const;
};

// Derivations are read by recursion. Throws Error if they are nested deeper than any stack can be
// trusted to hold.
void check_depth(const Forest& forest);

// Files and packed bytes have no place for prescribed translations. Throws Error if there are any.
void refuse_forced(const Forest& forest);

class Hypergraph {
 public:
  Hypergraph(std::shared_ptr<const Forest> forest, std::vector<double> edge_scores);

  const Forest& forest() const { return *forest_; }
  // weights . features of one edge.
  double edge_score(std::uint32_t edge) const { return edge_scores_[edge]; }
  std::span<const double> edge_scores() const { return edge_scores_; }

  // The same derivations with a score for each edge.
  Hypergraph with_scores(std::vector<double> edge_scores) const {
    return {forest_, std::move(edge_scores)};
  }
  // The same derivations under other weights.
  Hypergraph rescore(const FeatureIndex& index, WeightView weights) const;

 private:
  std::shared_ptr<const Forest> forest_;
  std::vector<double> edge_scores_;
};

// weights . features of every edge. Features that the index did not know when the forest was made
// are looked up again.
std::vector<double> score_edges(const Forest& forest, const FeatureIndex& index,
                                WeightView weights);

}  // namespace demotic
