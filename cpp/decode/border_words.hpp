// The words at the borders of partial translations, and the names of bigrams of them: features of
// the templates tgt_border and class_tgt_border.
//
// Where a run of words of a rule meets a nonterminal, or two nonterminals meet, the last word
// before and the first word behind make a bigram that no rule has alone. So do <s> and </s> with
// the words of the whole sentence.
//   tgt_border:red_coat   tgt_border:<s>_the   class_tgt_border:50:<9>_<12>
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "decode/border_state.hpp"
#include "decode/derivation.hpp"
#include "features/template_set.hpp"

namespace demotic {

// The runs of words of a target side: before, between and behind the nonterminals.
using BorderRuns = std::array<BorderWords, 3>;
BorderRuns border_runs(const RuleBook& book, const OutputWords& words, RuleId rule);

// The borders of a target side with its nonterminals filled, in their order there (null: not
// there). Calls meet(last, first) wherever two pieces meet.
template <class Meet>
BorderWords join_borders(const BorderRuns& runs, const BorderWords* first,
                         const BorderWords* second, Meet meet) {
  BorderWords all = runs[0];
  const auto append = [&](const BorderWords& piece) {
    if (piece.empty()) return;
    if (all.empty()) {
      all = piece;
      return;
    }
    meet(all.last, piece.first);
    all.last = piece.last;
  };
  if (first != nullptr) append(*first);
  append(runs[1]);
  if (second != nullptr) append(*second);
  append(runs[2]);
  return all;
}

// Names and fingerprints of bigrams, for the words of one sentence.
class BorderNames {
 public:
  // `words` must outlive this.
  BorderNames(const RuleBook& book, const OutputWords& words);

  std::size_t templates() const { return templates_.size(); }
  Fingerprint print(std::size_t number, WordId left, WordId right) const;
  std::string name(std::size_t number, WordId left, WordId right) const;

 private:
  struct Template {
    std::string prefix;
    NameHash hash;
    std::shared_ptr<const ClassTable> classes;  // null: of words
  };
  const SymbolHash& hash_of(const Template& one, WordId word) const;
  std::string text_of(const Template& one, WordId word) const;

  const OutputWords& words_;
  const WordId vocabulary_;  // words of the target vocabulary; what follows was copied
  std::shared_ptr<const WordHashes> hashes_;
  std::vector<SymbolHash> copied_;
  SymbolText begin_{"<s>"}, end_{"</s>"};
  std::vector<Template> templates_;
};

}  // namespace demotic
