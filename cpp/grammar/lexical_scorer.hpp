// Lexical weights of rules: for every word its best translation on the other side of the rule, or
// NULL.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/grammar.hpp"
#include "grammar/mask.hpp"

namespace demotic {

// Scores many blocks together, one source word at a time: its row of the lexicon is spread over an
// array of the target vocabulary and all rules with that word look their target words up there.
class LexicalScorer {
 public:
  explicit LexicalScorer(const GrammarIndex& index)
      : index_(index), row_(index.target_null() + 1, 0), removed_(index.target_null() + 1, 0) {}

  // Fills lexical_fe and lexical_ef of all rules, as if the masked pairs had not been counted.
  void score(std::span<RuleBlock* const> blocks, const Mask* mask);

 private:
  struct Term {  // a target word of a rule
    WordId word;
    float total;    // c(e)
    float best_ef;  // max over source words f of p(e | f)
  };
  struct RuleTerms {
    std::uint32_t begin, end;  // in terms_
    double product_fe = 1;
    int missing_fe = 0;  // source words without any translation in the rule
  };
  struct Use {  // a source word in a block
    WordId word;
    std::uint32_t block;
    auto operator<=>(const Use&) const = default;
  };

  // Calls visit(target word, count) for the entries of a source word in all parts of the index.
  template <class Visit>
  void for_each_entry(WordId source, Visit visit) const;
  float target_total(WordId target) const;  // c(e), without the masked pairs
  void collect(std::span<RuleBlock* const> blocks);
  float spread_row(WordId source, const Mask* mask);  // returns c(f)
  void clear_row(WordId source);
  void score_word(float total, RuleTerms& rule, float null_fe);
  void finish(std::span<RuleBlock* const> blocks) const;

  const GrammarIndex& index_;
  std::vector<float> row_;              // c(f, e) of the current f
  std::vector<std::uint32_t> removed_;  // c(e) of the masked pairs
  std::vector<Term> terms_;
  std::vector<RuleTerms> rules_;
  std::vector<std::uint32_t> first_rule_;  // per block
  std::vector<Use> uses_;
};

}  // namespace demotic
