// What a template sees of a rule.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "features/class_tables.hpp"
#include "features/name_escape.hpp"
#include "features/word_hashes.hpp"
#include "grammar/grammar.hpp"

namespace demotic {

// How a nonterminal stands in names: with its label only, or also with its number on the source
// side, where X is understood.
struct LabelText {
  explicit LabelText(const std::string& label)
      : is_default(label == "X"),
        plain(bracketed(label, "")),
        numbered{SymbolText(bracketed(is_default ? "" : label, "1")),
                 SymbolText(bracketed(is_default ? "" : label, "2"))} {}

  bool is_default;
  SymbolText plain;                    // [X], [NP]
  std::array<SymbolText, 2> numbered;  // [1] and [2], [NP,1] and [NP,2]

 private:
  static std::string bracketed(std::string_view label, std::string_view number) {
    std::string text(1, '[');
    if (!label.empty()) append_escaped(text, label);
    if (!label.empty() && !number.empty()) text += ',';
    return text.append(number).append(1, ']');
  }
};

// A grammar and what is looked up in it or written for it once, not per rule.
struct GrammarView {
  // `its_classes`: those that the templates in use need.
  explicit GrammarView(const Grammar& all, std::vector<GrammarClasses> its_classes = {})
      : grammar(all),
        labels(all.labels.begin(), all.labels.end()),
        classes(std::move(its_classes)) {
    for (std::size_t i = 0; i < all.feature_names->size(); ++i)
      if ((*all.feature_names)[i] == "CountEF") count_column = i;
  }

  const Grammar& grammar;
  std::vector<LabelText> labels;            // in the order of Grammar::labels
  std::vector<GrammarClasses> classes;      // of its words
  std::optional<std::size_t> count_column;  // of the feature log10(1 + c(f, e))
  SymbolText rule_begin{"<r>"}, rule_end{"</r>"};
};

struct RuleView {
  const GrammarView& context;
  const RuleBlock& block;
  const SourceSide& side;
  std::uint32_t rule;  // inside the block

  const Grammar& grammar() const { return context.grammar; }
  std::span<const Symbol> source() const { return block.source(side); }
  std::span<const Symbol> target() const { return block.target(block.rules[rule]); }
  std::span<const RuleLink> links() const { return block.alignment(block.rules[rule]); }
  const LabelText& left_side() const { return context.labels[side.label]; }
  const SymbolText& gap(Symbol symbol) const {
    return context.labels[side.children[number(symbol)]].plain;
  }
  const SymbolText& nonterminal(Symbol symbol) const {
    return context.labels[side.children[number(symbol)]].numbered[number(symbol)];
  }

  // The classes of words, `size` of them on each side.
  const GrammarClasses& classes(unsigned size) const {
    for (const GrammarClasses& each : context.classes)
      if (each.size == size) return each;
    throw Error("no word classes for a template that needs " + std::to_string(size));
  }

  // c(f, e): from the statistics of extraction or, in a grammar that was read from a file, from its
  // feature CountEF.
  float count() const {
    if (!block.statistics.empty()) return block.statistics[rule].count_fe;
    if (!context.count_column)
      throw Error("this grammar has no rule counts",
                  "the template count_bin and conditioning need them; grammars from an index have "
                  "them, in a grammar file it is the feature CountEF");
    return std::round(
        std::pow(10.0f,
                 block.features[rule * grammar().feature_names->size() + *context.count_column]) -
        1);
  }

 private:
  static std::size_t number(Symbol symbol) { return symbol == demotic::nonterminal(0) ? 0 : 1; }
};

// Calls visit(rule) for all rules of a grammar in their order: blocks, sides, rules.
template <class Visit>
void for_each_rule(const GrammarView& context, Visit visit) {
  for (const auto& block : context.grammar.blocks)
    for (const SourceSide& side : block->sides)
      for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r)
        visit(RuleView{context, *block, side, r});
}

}  // namespace demotic
