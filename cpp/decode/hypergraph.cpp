#include "decode/hypergraph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "decode/border_features.hpp"

namespace demotic {
namespace {

constexpr std::uint32_t kMaxDepth =
    20'000;  // of nodes; a sentence of as many words, glued together
// The first decoder feature that depends on the rule alone: all but the language model's.
constexpr auto kFirstOfRule = static_cast<std::size_t>(DecoderFeature::kLanguageModel) + 1;
static_assert(kFirstOfRule == 1);

// The weights of a forest's sparse features.
class SparseWeights {
 public:
  SparseWeights(const RuleFeatures* features, const FeatureIndex& index, WeightView weights)
      : features_(features),
        index_(index),
        weights_(weights),
        known_(features == nullptr ? 0 : features->locals(), kUnknown) {}

  double operator[](const RuleFeature& feature) {
    if (!feature.is_local()) return weights_[feature.feature];
    double& weight = known_[feature.local()];
    if (std::isnan(weight)) {
      const auto id = index_.find(features_->local_fingerprint(feature.local()));
      weight = id ? weights_[*id] : 0.0;
    }
    return weight;
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const RuleFeatures* features_;
  const FeatureIndex& index_;
  WeightView weights_;
  std::vector<double> known_;  // of local features; kUnknown: not looked up yet
};

}  // namespace

UsedRule::UsedRule(const RuleBook& book, RuleId id, std::uint32_t oov_words)
    : rule(id), oov(oov_words), kind(book.kind(id)), content(book.content(id)) {
  const auto is_gap = [](Symbol symbol) { return symbol < 0; };
  const auto& target = content.target;
  const auto first = std::ranges::find_if(target, is_gap);
  swapped = first != target.end() && *first == nonterminal(1);
  const bool has_own_words = kind == RuleKind::kPassThrough || kind == RuleKind::kForced;
  words = static_cast<std::uint16_t>(
      has_own_words
          ? book.read_as(id).size()
          : target.size() - static_cast<std::size_t>(std::ranges::count_if(target, is_gap)));
}

double Forest::decoder_feature(DecoderFeature feature, const HyperEdge& edge) const {
  return feature == DecoderFeature::kLanguageModel ? edge.lm
                                                   : rules[edge.rule].decoder_feature(feature);
}

double UsedRule::decoder_feature(DecoderFeature feature) const {
  switch (feature) {
    case DecoderFeature::kLanguageModel:
      return 0;
    case DecoderFeature::kTargetOov:
      return oov;
    case DecoderFeature::kWordPenalty:
      return word_penalty(words);
    case DecoderFeature::kGlue:
      return kind == RuleKind::kGlue;
    case DecoderFeature::kPassThrough:
      return kind == RuleKind::kPassThrough;
  }
  return 0;
}

void check_depth(const Forest& forest) {
  std::vector<std::uint32_t> depth(forest.nodes.size(), 1);
  for (const HyperEdge& edge : forest.edges)  // tails come before heads
    for (const NodeId tail : edge.tails)
      if (tail != kNone) depth[edge.head] = std::max(depth[edge.head], depth[tail] + 1);
  if (std::ranges::any_of(depth, [](std::uint32_t nodes) { return nodes > kMaxDepth; }))
    throw Error("the derivations are nested more than " + std::to_string(kMaxDepth) + " rules deep",
                "split the sentence, or remove chains of rules with one nonterminal alone");
}

void refuse_forced(const Forest& forest) {
  if (forest.book->has_forced())
    throw Error("a hypergraph with constraints on spans cannot be saved or packed",
                "decode without constraints, or save its translations");
}

Hypergraph::Hypergraph(std::shared_ptr<const Forest> forest, std::vector<double> edge_scores)
    : forest_(std::move(forest)), edge_scores_(std::move(edge_scores)) {
  if (forest_->nodes.empty() || edge_scores_.size() != forest_->edges.size())
    throw Error("a hypergraph needs a goal and a score per edge");
}

Hypergraph Hypergraph::rescore(const FeatureIndex& index, WeightView weights) const {
  return {forest_, score_edges(*forest_, index, weights)};
}

std::vector<double> score_edges(const Forest& forest, const FeatureIndex& index,
                                WeightView weights) {
  const RuleBook& book = *forest.book;
  if (book.features() != nullptr) index.check_ids_of(book.features()->index(), "the hypergraph");
  const FeatureIndex::Reading reading(index);
  const DenseWeights dense(*forest.options, *book.grammar().feature_names, index, weights);
  SparseWeights sparse(book.features(), index, weights);
  // What depends on the rule alone is multiplied once per rule; sums are formed in the same order
  // for every edge.
  struct RuleScore {
    double features = 0;
    std::array<double, kDecoderFeatures> decoder{};
  };
  std::vector<RuleScore> rule_scores(forest.rules.size());
  for (std::size_t r = 0; r < forest.rules.size(); ++r) {
    const UsedRule& used = forest.rules[r];
    double& score = rule_scores[r].features;
    const auto& values = used.content.dense;
    for (std::size_t i = 0; i < values.size(); ++i) score += dense.rule[i] * values[i];
    for (const RuleFeature& feature : used.content.sparse) score += sparse[feature] * feature.value;
    check_score(score);
    for (std::size_t f = kFirstOfRule; f < kDecoderFeatures; ++f)
      rule_scores[r].decoder[f] =
          dense.decoder[f] * used.decoder_feature(static_cast<DecoderFeature>(f));
  }
  const std::size_t models = forest.further_models();
  std::vector<double> borders;
  if (forest.borders != nullptr) borders = forest.borders->weights(index, weights);
  std::vector<double> scores;
  scores.reserve(forest.edges.size());
  for (std::size_t e = 0; e < forest.edges.size(); ++e) {
    const HyperEdge& edge = forest.edges[e];
    const RuleScore& rule = rule_scores[edge.rule];
    double score = rule.features + dense[DecoderFeature::kLanguageModel] * edge.lm;
    for (std::size_t f = kFirstOfRule; f < kDecoderFeatures; ++f) score += rule.decoder[f];
    for (std::size_t i = 0; i < models; ++i)
      score += dense.further[i] * forest.further_lm[e * models + i];
    if (forest.borders != nullptr)
      for (const std::uint32_t bigram : forest.borders->bigrams(e)) score += borders[bigram];
    scores.push_back(score);
  }
  return scores;
}

}  // namespace demotic
