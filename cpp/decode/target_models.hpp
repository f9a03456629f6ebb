// The language models that score translations. The first one reads words. Further ones have a
// feature and a weight of their own and may read the classes of words.
//
// What search keeps of further models lies in arrays beside those of the first: with one model they
// are empty, and it pays nothing for them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/word_classes.hpp"
#include "decode/rule_book.hpp"
#include "grammar/grammar.hpp"
#include "lm/model.hpp"

namespace demotic {

struct TargetModel {
  std::shared_ptr<const Model> lm;
  std::shared_ptr<const WordClasses> classes;  // null: the model reads words

  // What the model reads in the place of a word.
  WordId token(std::string_view word) const {
    return classes == nullptr ? lm->word(word) : lm->word(classes->name(classes->of(word)));
  }
};
using TargetModels = std::vector<TargetModel>;  // at least one

// What each model reads in the place of the words of the target vocabulary, and which of these
// words are unknown: to the first model and, if there is one, to the model `whole` of more text.
class TargetWords {
 public:
  TargetWords(std::shared_ptr<const Vocab> vocab, const TargetModels& models,
              const Model* whole = nullptr);
  WordId operator[](Symbol word) const { return ids_[static_cast<std::size_t>(word)]; }
  WordId token(std::size_t model, Symbol word) const {
    return ids_[model * vocab_->size() + static_cast<std::size_t>(word)];
  }
  bool unknown(Symbol word) const { return unknown_[static_cast<std::size_t>(word)]; }
  const Vocab* vocab() const { return vocab_.get(); }

 private:
  std::shared_ptr<const Vocab> vocab_;  // kept alive: its address identifies it
  std::vector<WordId> ids_;             // model by model
  std::vector<bool> unknown_;
};

// A rule as a further model sees it: log10 probability inside its runs of words, and their states.
struct FurtherRule {
  float lm = 0;
  std::array<ChartState, 3> run;
};

// The rules of a sentence as all further models see them, each filled in when the rule is scored.
class FurtherRules {
 public:
  void reset(std::size_t models, std::size_t rules) {
    models_ = models;
    rules_.resize(models * rules);
  }
  std::size_t models() const { return models_; }
  std::span<FurtherRule> of(RuleId rule) {
    return std::span(rules_).subspan(rule * models_, models_);
  }
  std::span<const FurtherRule> of(RuleId rule) const {
    return std::span(rules_).subspan(rule * models_, models_);
  }

 private:
  std::size_t models_ = 0;
  std::vector<FurtherRule> rules_;
};

}  // namespace demotic
