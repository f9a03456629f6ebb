// The rules of a sentence as search sees them: one number for all features that depend on the rule
// alone, and the language-model states of its runs of words. Weights enter here, once per rule, and
// nowhere else in the search.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decode/options.hpp"
#include "decode/rule_book.hpp"
#include "decode/target_models.hpp"
#include "features/feature_index.hpp"
#include "features/weights.hpp"

namespace demotic {

// Scores beyond this are refused: sums of them must stay finite in single precision, since NaN and
// infinity have no place in an order.
constexpr double kMaxScore = 1e30;
inline bool is_score(double score) {
  return score >= -kMaxScore && score <= kMaxScore;
}  // not for NaN
void check_score(double score);  // of a rule; throws Error

// The weights of the decoder's own features and of the grammar's dense ones, looked up by name.
struct DenseWeights {
  std::array<double, kDecoderFeatures> decoder{};
  std::vector<double> rule;     // in the order of Grammar::feature_names
  std::vector<double> further;  // of DecodeOptions::further_models

  // Throws Error for a weight that is not finite.
  DenseWeights(const DecodeOptions& options, const std::vector<std::string>& rule_features,
               const FeatureIndex& index, WeightView weights);
  double operator[](DecoderFeature feature) const {
    return decoder[static_cast<std::size_t>(feature)];
  }
};

// Value of a rule's WordPenalty: cdec's -|e| / ln 10.
double word_penalty(std::size_t words);

struct ScoredRule {
  float score;  // weights . features of the rule, with the language models inside its runs of words
  float lm;  // log10 probability inside the runs, of the first language model as all that follows
  RuleId rule;
  std::uint8_t arity;  // nonterminals
  std::uint8_t
      swapped;        // 1: the second nonterminal of the source side comes first on the target side
  std::uint8_t runs;  // bit i: run i (before, between, behind the nonterminals) has words
  std::uint8_t oov;   // target words unknown to the language model, at most 255
  std::array<ChartState, 3> run;
};

class RuleScorer {
 public:
  // What further language models make of the rules goes to `further`.
  RuleScorer(const TargetModels& models, const DenseWeights& dense, WeightView weights,
             const TargetWords& words, FurtherRules& further)
      : models_(models), dense_(dense), weights_(weights), words_(words), further_(further) {}

  ScoredRule translation(const RuleBook& book, const RuleBlock& block, std::uint32_t rule_in_block,
                         RuleId rule) const;
  ScoredRule pass_through(const RuleBook& book, std::size_t position) const;  // or forced
  ScoredRule glue(const RuleBook& book, bool start) const;

 private:
  ScoredRule begin(RuleId rule) const;
  // `token(m)` is what model m reads; `word` is that of the first.
  template <class Token>
  void add_word(ScoredRule& rule, std::size_t run, WordId word, bool unknown, Token token) const;
  void finish(ScoredRule& rule, double features, std::size_t words) const;

  const TargetModels& models_;
  const DenseWeights& dense_;
  WeightView weights_;
  const TargetWords& words_;
  FurtherRules& further_;
};

}  // namespace demotic
