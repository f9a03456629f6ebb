#include "decode/scored_rules.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace demotic {

DenseWeights::DenseWeights(const DecodeOptions& options,
                           const std::vector<std::string>& rule_features, const FeatureIndex& index,
                           WeightView weights) {
  const auto weight = [&](const std::string& name) {
    const auto id = options.has(name) ? index.find(name) : std::nullopt;
    const double value = id ? weights[*id] : 0.0;
    if (!is_score(value))
      throw Error("the weight of '" + name + "' is " +
                      (std::isfinite(value) ? "too large" : "not a finite number"),
                  "the learning rate may be too high");
    return value;
  };
  std::ranges::transform(options.feature_names, decoder.begin(), weight);
  std::ranges::transform(rule_features, std::back_inserter(rule), weight);
  std::ranges::transform(options.further_models, std::back_inserter(further), weight);
}

void check_score(double score) {
  if (!is_score(score))
    throw Error("the score of a rule is too large or not a number",
                "look for weights that are not finite; the learning rate may be too high");
}

double word_penalty(std::size_t words) { return -static_cast<double>(words) / std::numbers::ln10; }

ScoredRule RuleScorer::translation(const RuleBook& book, const RuleBlock& block,
                                   std::uint32_t rule_in_block, RuleId rule) const {
  ScoredRule scored = begin(rule);
  const std::size_t width = dense_.rule.size();
  double features = 0;
  for (std::size_t i = 0; i < width; ++i)
    features += dense_.rule[i] * block.features[rule_in_block * width + i];
  for (const RuleFeature& feature : book.sparse(rule))
    features += weights_[feature.feature] * feature.value;
  std::size_t words = 0;
  for (const Symbol symbol : block.target(block.rules[rule_in_block])) {
    if (symbol < 0) {
      if (scored.arity == 0) scored.swapped = symbol == nonterminal(1);
      ++scored.arity;
    } else {
      add_word(scored, scored.arity, words_[symbol], words_.unknown(symbol),
               [&](std::size_t model) { return words_.token(model, symbol); });
      ++words;
    }
  }
  finish(scored, features, words);
  return scored;
}

ScoredRule RuleScorer::pass_through(const RuleBook& book, std::size_t position) const {
  ScoredRule scored = begin(book.pass_through(position));
  const auto words = book.read_as(scored.rule);
  for (const std::string& word : words) {
    const WordId first = models_[0].token(word);
    add_word(scored, 0, first, Model::is_oov(first),
             [&](std::size_t model) { return models_[model].token(word); });
  }
  const bool copies = book.kind(scored.rule) == RuleKind::kPassThrough;
  finish(scored, copies ? dense_[DecoderFeature::kPassThrough] : 0.0, words.size());
  return scored;
}

ScoredRule RuleScorer::glue(const RuleBook& book, bool start) const {
  ScoredRule scored = begin(start ? book.glue_start() : book.glue());
  scored.arity = start ? 1 : 2;
  finish(scored, start ? 0.0 : dense_[DecoderFeature::kGlue], 0);
  return scored;
}

ScoredRule RuleScorer::begin(RuleId rule) const {
  if (further_.models() > 0) std::ranges::fill(further_.of(rule), FurtherRule{});
  return {0, 0, rule, 0, 0, 0, 0, {}};
}

template <class Token>
void RuleScorer::add_word(ScoredRule& rule, std::size_t run, WordId word, bool unknown,
                          Token token) const {
  rule.lm += models_[0].lm->append(rule.run[run], word);
  rule.runs = static_cast<std::uint8_t>(rule.runs | (1u << run));
  if (unknown && rule.oov < 255) ++rule.oov;
  for (std::size_t model = 1; model <= further_.models(); ++model) {
    FurtherRule& further = further_.of(rule.rule)[model - 1];
    further.lm += models_[model].lm->append(further.run[run], token(model));
  }
}

void RuleScorer::finish(ScoredRule& rule, double features, std::size_t words) const {
  features += dense_[DecoderFeature::kLanguageModel] * rule.lm +
              dense_[DecoderFeature::kTargetOov] * rule.oov;
  features += dense_[DecoderFeature::kWordPenalty] * word_penalty(words);
  for (std::size_t i = 0; i < further_.models(); ++i)
    features += dense_.further[i] * further_.of(rule.rule)[i].lm;
  check_score(features);
  rule.score = static_cast<float>(features);
}

}  // namespace demotic
