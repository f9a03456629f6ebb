// Two writers of feature names with the same members. A template writes its names once, to either: HashWriter makes
// fingerprints and no strings, which is what decoding needs; TextWriter makes the names themselves, for the few that somebody
// reads or stores.
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
  constexpr NameText(std::string_view part, const NameHash& its_hash) : text(part), hash(its_hash) {}
  std::string_view text;
  NameHash hash;
};

inline constexpr NameText kJoin("_");                          // between the symbols of a side
inline constexpr NameText kBar("|");                           // between source and target
inline constexpr NameText kGap("[X]");                         // a nonterminal whichever
inline constexpr NameText kNonterminals[] = {NameText("[1]"), NameText("[2]")};  // by their order on the source side
inline constexpr NameText kRuleBegin("<r>"), kRuleEnd("</r>");

inline const NameText& nonterminal_text(Symbol symbol) { return kNonterminals[symbol == nonterminal(0) ? 0 : 1]; }

class HashWriter {
 public:
  struct Feature {
    Fingerprint print;
    float value;
  };

  HashWriter(const WordHashes& source, const WordHashes& target) : source_(source), target_(target) {}

  // --- a name: begin, parts, end -------------------------------------------------------------------------------------------
  void begin(const NameText& part) { print_ = part.hash.print; }
  void text(const NameText& part) { print_ = append(print_, part.hash); }
  void source_word(Symbol word) { print_ = append(print_, source_[static_cast<WordId>(word)]); }
  void target_word(Symbol word) { print_ = append(print_, target_[static_cast<WordId>(word)]); }
  void number(unsigned value) {
    char digits[10];
    print_ = append(print_, hash_name({digits, std::to_chars(digits, digits + sizeof digits, value).ptr}));
  }
  void source_side(const RuleView& rule) {
    if (&rule.side != side_) {  // all rules of a side share this part
      side_ = &rule.side;
      side_hash_ = side_hash(rule.source(), source_);
    }
    print_ = append(print_, side_hash_);
  }
  void target_side(const RuleView& rule) {
    const auto symbols = rule.target();
    for (std::size_t i = 0; i < symbols.size(); ++i) print_ = append(print_, i == 0 ? symbol_hash(symbols[i], target_) : joined(symbol_hash(symbols[i], target_)));
  }
  // The feature fires; a second time in the same rule, the values add up.
  void end(float value) {
    for (std::size_t i = group_; i < features_.size(); ++i)
      if (features_[i].print == print_) {
        features_[i].value += value;
        return;
      }
    features_.push_back({print_, value});
  }

  // --- what has been written: a group is what one template says about one rule ------------------------------------------------
  void begin_group() { group_ = features_.size(); }
  void reserve(std::size_t features) { features_.reserve(features); }
  const std::vector<Feature>& features() const { return features_; }

 private:
  static const NameHash& symbol_hash(Symbol symbol, const WordHashes& words) {
    return symbol < 0 ? nonterminal_text(symbol).hash : words[static_cast<WordId>(symbol)];
  }
  // With the joint before it. Not appended one by one: this product does not wait for the name so far.
  static NameHash joined(const NameHash& symbol) { return concatenate(kJoin.hash, symbol); }
  static NameHash side_hash(std::span<const Symbol> symbols, const WordHashes& words) {
    NameHash hash;
    for (std::size_t i = 0; i < symbols.size(); ++i) hash = i == 0 ? symbol_hash(symbols[i], words) : concatenate(hash, joined(symbol_hash(symbols[i], words)));
    return hash;
  }

  const WordHashes& source_;
  const WordHashes& target_;
  Fingerprint print_;
  const SourceSide* side_ = nullptr;
  NameHash side_hash_;
  std::size_t group_ = 0;
  std::vector<Feature> features_;
};

class TextWriter {
 public:
  struct Feature {
    std::string name;
    float value;
  };

  explicit TextWriter(const Grammar& grammar) : grammar_(grammar) {}

  void begin(const NameText& part) { name_ = part.text; }
  void text(const NameText& part) { name_ += part.text; }
  void source_word(Symbol word) { append_escaped(name_, grammar_.source_vocab->word(static_cast<WordId>(word))); }
  void target_word(Symbol word) { append_escaped(name_, grammar_.target_vocab->word(static_cast<WordId>(word))); }
  void number(unsigned value) { name_ += std::to_string(value); }
  void source_side(const RuleView& rule) { side(rule.source(), *grammar_.source_vocab); }
  void target_side(const RuleView& rule) { side(rule.target(), *grammar_.target_vocab); }
  void end(float value) {
    const auto same = std::ranges::find(features_, name_, &Feature::name);
    if (same == features_.end())
      features_.push_back({name_, value});
    else
      same->value += value;
  }

  const std::vector<Feature>& features() const { return features_; }

 private:
  void side(std::span<const Symbol> symbols, const Vocab& words) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (i > 0) name_ += kJoin.text;
      if (symbols[i] < 0)
        name_ += nonterminal_text(symbols[i]).text;
      else
        append_escaped(name_, words.word(static_cast<WordId>(symbols[i])));
    }
  }

  const Grammar& grammar_;
  std::string name_;
  std::vector<Feature> features_;
};

}  // namespace demotic
