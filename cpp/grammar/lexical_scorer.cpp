#include "grammar/lexical_scorer.hpp"

#include <algorithm>
#include <cmath>

namespace demotic {
namespace {

constexpr float kMissing = 99;  // cost of a word that nothing in the rule translates, as in cdec

float ratio(float count, float total) { return total > 0 ? count / total : 0; }

}  // namespace

// Every part has a NULL of its own, behind its words.
template <class Visit>
void LexicalScorer::for_each_entry(WordId source, Visit visit) const {
  for (const IndexPart& part : index_.parts()) {
    const Lexicon& lexicon = part.lexicon;
    const bool is_null = source == index_.source_null();
    if (!is_null && source >= lexicon.source_null()) continue;
    for (const auto& [target, count] : lexicon.row(is_null ? lexicon.source_null() : source))
      visit(target == lexicon.target_null() ? index_.target_null() : target, count);
  }
}

float LexicalScorer::target_total(WordId target) const {
  std::uint32_t total = 0;
  for (const IndexPart& part : index_.parts()) {
    const auto totals = part.lexicon.target_totals;
    if (target == index_.target_null())
      total += totals.back();
    else if (target < part.lexicon.target_null())
      total += totals[target];
  }
  return static_cast<float>(total - removed_[target]);
}

void LexicalScorer::score(std::span<RuleBlock* const> blocks, const Mask* mask) {
  if (mask != nullptr)
    for (const auto& [word, count] : mask->removed_targets()) removed_[word] = count;
  collect(blocks);

  const WordId null = index_.source_null(), target_null = index_.target_null();
  const float null_source_total = spread_row(null, mask);
  for (Term& term : terms_) {
    term.total = target_total(term.word);
    term.best_ef = ratio(row_[term.word], null_source_total);
  }
  clear_row(null);

  const float null_target_total = target_total(target_null);
  for (std::size_t begin = 0, end; begin < uses_.size(); begin = end) {
    const WordId word = uses_[begin].word;
    const float total = spread_row(word, mask),
                null_fe = ratio(row_[target_null], null_target_total);
    for (end = begin; end < uses_.size() && uses_[end].word == word; ++end)
      for (std::uint32_t r = first_rule_[uses_[end].block]; r < first_rule_[uses_[end].block + 1];
           ++r)
        score_word(total, rules_[r], null_fe);
    clear_row(word);
  }
  finish(blocks);
  if (mask != nullptr)
    for (const auto& [word, count] : mask->removed_targets()) removed_[word] = 0;
}

void LexicalScorer::collect(std::span<RuleBlock* const> blocks) {
  terms_.clear();
  rules_.clear();
  uses_.clear();
  first_rule_.assign(1, 0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const RuleBlock& block = *blocks[b];
    for (const Rule& rule : block.rules) {
      const auto begin = static_cast<std::uint32_t>(terms_.size());
      for (const Symbol symbol : block.target(rule))
        if (symbol >= 0) terms_.push_back({static_cast<WordId>(symbol), 0, 0});
      rules_.push_back({begin, static_cast<std::uint32_t>(terms_.size())});
    }
    first_rule_.push_back(static_cast<std::uint32_t>(rules_.size()));
    if (block.sides.empty()) continue;
    for (const Symbol symbol :
         block.source(block.sides[0]))  // all sides of a block have the same words
      if (symbol >= 0)
        uses_.push_back({static_cast<WordId>(symbol), static_cast<std::uint32_t>(b)});
  }
  // By word: products are then formed in the same order whatever the sentence is.
  std::ranges::sort(uses_);
}

float LexicalScorer::spread_row(WordId source, const Mask* mask) {
  std::uint64_t total = 0;
  for_each_entry(source, [&](WordId target, std::uint32_t count) {
    row_[target] += static_cast<float>(count);
    total += count;
  });
  if (mask != nullptr)
    for (const auto& [target, count] : mask->removed_row(source)) {
      row_[target] -= static_cast<float>(count);
      total -= count;
    }
  return static_cast<float>(total);
}

void LexicalScorer::clear_row(WordId source) {
  for_each_entry(source, [&](WordId target, std::uint32_t) { row_[target] = 0; });
}

void LexicalScorer::score_word(float total, RuleTerms& rule, float null_fe) {
  float best_fe = null_fe;
  for (std::uint32_t t = rule.begin; t < rule.end; ++t) {
    Term& term = terms_[t];
    const float count = row_[term.word];
    if (count <= 0) continue;
    best_fe = std::max(best_fe, ratio(count, term.total));
    term.best_ef = std::max(term.best_ef, ratio(count, total));
  }
  if (best_fe > 0)
    rule.product_fe *= best_fe;
  else
    ++rule.missing_fe;
}

void LexicalScorer::finish(std::span<RuleBlock* const> blocks) const {
  const auto cost = [](double product, int missing) {
    return static_cast<float>(-std::log10(product) + kMissing * missing);
  };
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::uint32_t r = first_rule_[b]; r < first_rule_[b + 1]; ++r) {
      double product_ef = 1;
      int missing_ef = 0;
      for (std::uint32_t t = rules_[r].begin; t < rules_[r].end; ++t) {
        if (terms_[t].best_ef > 0)
          product_ef *= terms_[t].best_ef;
        else
          ++missing_ef;
      }
      RuleStatistics& statistics = blocks[b]->statistics[r - first_rule_[b]];
      statistics.lexical_fe = cost(rules_[r].product_fe, rules_[r].missing_fe);
      statistics.lexical_ef = cost(product_ef, missing_ef);
    }
}

}  // namespace demotic
