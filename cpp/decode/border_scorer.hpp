// Bigrams of words where rules meet, as search sees them: a sparse language model whose state is
// the first and the last word of a piece.
#pragma once

#include <vector>

#include "base/probe_table.hpp"
#include "decode/border_words.hpp"

namespace demotic {

// For one sentence and its weights.
class BorderScorer {
 public:
  // All of them must outlive this.
  BorderScorer(const RuleBook& book, const FeatureIndex& index, WeightView weights);

  // The borders of a rule's target side with its nonterminals filled, in their order there (null:
  // not there); adds to `score` what the places weigh where its pieces meet.
  BorderWords apply(RuleId rule, const BorderWords* first, const BorderWords* second,
                    double& score);

 private:
  double weight(WordId left, WordId right);

  const RuleBook& book_;
  const FeatureIndex& index_;
  WeightView weights_;
  OutputWords words_;
  BorderNames names_;
  struct Runs {
    BorderRuns runs;
    bool known = false;
  };
  std::vector<Runs> rules_;   // by number in the book, as far as they were asked for
  KeyTable<double> bigrams_;  // what they weigh
};

}  // namespace demotic
