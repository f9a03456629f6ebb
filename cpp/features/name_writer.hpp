// Two writers of feature names with the same members. A template writes its names once, to either:
// HashWriter makes fingerprints and no strings, which is what decoding needs; TextWriter makes the
// names themselves, for the few that somebody reads or stores.
#pragma once

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "features/name_escape.hpp"
#include "features/rule_view.hpp"
#include "features/word_hashes.hpp"

namespace demotic {

// A constant part of names.
struct NameText {
  constexpr explicit NameText(std::string_view part) : text(part), hash(hash_name(part)) {}
  constexpr NameText(std::string_view part, const NameHash& its_hash)
      : text(part), hash(its_hash) {}
  std::string_view text;
  NameHash hash;
};

inline constexpr NameText kBar("|");  // between source and target

class HashWriter {
 public:
  struct Feature {
    Fingerprint print;
    float value;
  };

  HashWriter(const WordHashes& source, const WordHashes& target)
      : source_(source), target_(target) {}

  // --- a name: begin, parts, end
  void begin(const NameText& part) { print_ = part.hash.print; }
  void text(const NameText& part) { print_ = append(print_, part.hash); }
  void number(unsigned value) {
    char digits[10];
    print_ = append(print_,
                    hash_name({digits, std::to_chars(digits, digits + sizeof digits, value).ptr}));
  }
  // Symbols: the first of a side, or joined to those before.
  void symbol(const SymbolText& symbol, bool first) { add(symbol.hash, first); }
  void source_word(Symbol word, bool first = true) {
    add(source_[static_cast<WordId>(word)], first);
  }
  void target_word(Symbol word, bool first = true) {
    add(target_[static_cast<WordId>(word)], first);
  }
  void source_side(const RuleView& rule) {
    if (&rule.side != side_) {  // all rules of a side share this part
      side_ = &rule.side;
      side_hash_ = NameHash();
      const auto symbols = rule.source();
      for (std::size_t i = 0; i < symbols.size(); ++i)
        side_hash_ = concatenate(side_hash_, part(hash_of(rule, symbols[i], source_), i == 0));
    }
    print_ = append(print_, side_hash_);
  }
  void target_side(const RuleView& rule) {
    const auto symbols = rule.target();
    for (std::size_t i = 0; i < symbols.size(); ++i)
      add(hash_of(rule, symbols[i], target_), i == 0);
  }
  // The feature fires; a second time in the same rule, the values add up.
  void end(float value) {
    if (label_ != nullptr) print_ = append(print_, label_->hash);
    for (std::size_t i = group_; i < features_.size(); ++i)
      if (features_[i].print == print_) {
        features_[i].value += value;
        return;
      }
    features_.push_back({print_, value});
  }

  // --- what has been written: a group is what one template says about one rule
  // `label`: what all names of the group end with; null: nothing.
  void begin_group(const NameText* label = nullptr) {
    group_ = features_.size();
    label_ = label;
  }
  void reserve(std::size_t features) { features_.reserve(features); }
  const std::vector<Feature>& features() const { return features_; }

 private:
  static const SymbolHash& hash_of(const RuleView& rule, Symbol symbol, const WordHashes& words) {
    return symbol < 0 ? rule.nonterminal(symbol).hash : words[static_cast<WordId>(symbol)];
  }
  static const NameHash& part(const SymbolHash& symbol, bool first) {
    return first ? symbol.first : symbol.joined;
  }
  void add(const SymbolHash& symbol, bool first) { print_ = append(print_, part(symbol, first)); }

  const WordHashes& source_;
  const WordHashes& target_;
  Fingerprint print_;
  const SourceSide* side_ = nullptr;
  NameHash side_hash_;
  std::size_t group_ = 0;
  const NameText* label_ = nullptr;
  std::vector<Feature> features_;
};

class TextWriter {
 public:
  struct Feature {
    std::string name;
    float value;
  };

  // `label`: what all names end with; null: nothing.
  explicit TextWriter(const Grammar& grammar, const NameText* label = nullptr)
      : grammar_(grammar), label_(label) {}

  void begin(const NameText& part) { name_ = part.text; }
  void text(const NameText& part) { name_ += part.text; }
  void number(unsigned value) { name_ += std::to_string(value); }
  void symbol(const SymbolText& symbol, bool first) { joint(first) += symbol.text; }
  void source_word(Symbol word, bool first = true) {
    append_escaped(joint(first), grammar_.source_vocab->word(static_cast<WordId>(word)));
  }
  void target_word(Symbol word, bool first = true) {
    append_escaped(joint(first), grammar_.target_vocab->word(static_cast<WordId>(word)));
  }
  void source_side(const RuleView& rule) {
    const auto symbols = rule.source();
    for (std::size_t i = 0; i < symbols.size(); ++i)
      symbols[i] < 0 ? symbol(rule.nonterminal(symbols[i]), i == 0)
                     : source_word(symbols[i], i == 0);
  }
  void target_side(const RuleView& rule) {
    const auto symbols = rule.target();
    for (std::size_t i = 0; i < symbols.size(); ++i)
      symbols[i] < 0 ? symbol(rule.nonterminal(symbols[i]), i == 0)
                     : target_word(symbols[i], i == 0);
  }
  void end(float value) {
    if (label_ != nullptr) name_ += label_->text;
    const auto same = std::ranges::find(features_, name_, &Feature::name);
    if (same == features_.end())
      features_.push_back({name_, value});
    else
      same->value += value;
  }

  const std::vector<Feature>& features() const { return features_; }

 private:
  std::string& joint(bool first) { return first ? name_ : name_ += '_'; }

  const Grammar& grammar_;
  const NameText* label_;
  std::string name_;
  std::vector<Feature> features_;
};

}  // namespace demotic
