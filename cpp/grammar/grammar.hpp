// The result of extraction: rules grouped by source side, as flat immutable arrays that sentences,
// threads and caches share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/vocab.hpp"
#include "grammar/rules_of_occurrence.hpp"

namespace demotic {

struct RuleLink {  // a source symbol and a target symbol of the same rule, counted from 0 with
                   // nonterminals
  std::uint8_t source, target;
  auto operator<=>(const RuleLink&) const = default;
};

// What the corpus says about a rule f -> e. Dense features are functions of this (feature_set.hpp).
struct RuleStatistics {
  float count_fe = 0;       // c(f, e): occurrences in the sample that gave this rule
  float lexical_fe = 0;     // -log10 of the product over f's words of the best p(f_i | e_j)
  float lexical_ef = 0;     // -log10 of the product over e's words of the best p(e_j | f_i)
  float occurrences_e = 0;  // how often e stands in the target side of the corpus; 0: not counted
  float count_added = 0;    // of c(f, e): in sentence pairs that were added to the index
};

struct Rule {
  std::uint32_t target_begin;  // in symbols
  std::uint32_t link_begin;    // in links
  std::uint16_t target_length, link_count;
};

struct SourceSide {
  std::uint32_t symbol_begin;          // in symbols
  std::uint32_t rule_begin, rule_end;  // in rules
  std::uint32_t
      count_f;  // occurrences in the sample that gave a rule with exactly this source side
  std::uint8_t length, nonterminals;
  std::uint8_t label = 0;                         // left-hand side, in Grammar::labels
  std::array<std::uint8_t, 2> children = {0, 0};  // labels of the nonterminals
};

// The rules of one source pattern with and without nonterminals at its ends. Sides in a fixed
// order; the rules of a side by falling c(f, e), then by their words.
struct RuleBlock {
  std::uint32_t samples =
      0;  // n(f): occurrences looked at, with or without success; shared by all sides
  float occurrences_f = 0;  // how often the pattern stands in the corpus: equal to samples, or
                            // estimated when there are more
  std::vector<SourceSide> sides;
  std::vector<Rule> rules;
  std::vector<Symbol> symbols;
  std::vector<RuleLink> links;
  std::vector<RuleStatistics> statistics;  // per rule; empty if the rules were read from a file
  std::vector<float> features;  // per rule one row, in the order of Grammar::feature_names

  std::span<const Symbol> source(const SourceSide& side) const {
    return std::span(symbols).subspan(side.symbol_begin, side.length);
  }
  std::span<const Symbol> target(const Rule& rule) const {
    return std::span(symbols).subspan(rule.target_begin, rule.target_length);
  }
  std::span<const RuleLink> alignment(const Rule& rule) const {
    return std::span(links).subspan(rule.link_begin, rule.link_count);
  }
  std::size_t bytes() const;
};

// The rules for one sentence. Glue and pass-through rules belong to the decoder.
struct Grammar {
  std::shared_ptr<const Vocab> source_vocab, target_vocab;
  std::shared_ptr<const std::vector<std::string>> feature_names;
  std::vector<std::shared_ptr<const RuleBlock>> blocks;  // none of them empty
  std::vector<std::string> labels = {"X"};  // of nonterminals; extracted rules have only X

  std::size_t rules() const;
  // Nonterminals that rules use and no rule rewrites: rules that use them never apply. Pass-through
  // rules rewrite X, glue rewrites S.
  std::vector<std::string> labels_without_rules() const;
};

}  // namespace demotic
