#include "grammar/cdec_format.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/error.hpp"

namespace demotic {
namespace {

constexpr std::string_view kBar = " ||| ";

void append_symbols(std::string& out, std::span<const Symbol> symbols, const Vocab& vocab, const Grammar& grammar, const SourceSide& side) {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (i > 0) out += ' ';
    if (symbols[i] < 0)
      out.append("[").append(grammar.labels[side.children[static_cast<std::size_t>(-1 - symbols[i])]]).append(",").append(1, static_cast<char>('0' - symbols[i])).append("]");
    else
      out += vocab.word(static_cast<WordId>(symbols[i]));
  }
}

template <class Number>
void append_number(std::string& out, Number value) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_rule(std::string& out, const Grammar& grammar, const RuleBlock& block, const SourceSide& side, std::string_view source, std::uint32_t r) {
  const auto& names = *grammar.feature_names;
  const Rule& rule = block.rules[r];
  out.append("[").append(grammar.labels[side.label]).append("]").append(kBar).append(source).append(kBar);
  append_symbols(out, block.target(rule), *grammar.target_vocab, grammar, side);
  out += kBar;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ' ';
    out.append(names[i]).append("=");
    append_number(out, block.features[r * names.size() + i]);
  }
  out += kBar;
  for (const RuleLink link : block.alignment(rule)) {
    if (out.back() != ' ') out += ' ';
    append_number(out, int{link.source});
    out += '-';
    append_number(out, int{link.target});
  }
  out += '\n';
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Grammar read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      const std::string_view line = trimmed(text.substr(0, end));
      if (!line.empty()) read_rule(line);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return finish();
  }

 private:
  struct ParsedRule {
    std::vector<Symbol> target;
    std::vector<RuleLink> links;
    std::vector<std::pair<std::uint32_t, float>> features;
  };
  struct Side {
    std::vector<Symbol> symbols;
    std::uint8_t nonterminals = 0, label = 0;
    std::array<std::uint8_t, 2> children = {0, 0};
    std::vector<ParsedRule> rules;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(what, file_, line_, "expected  [X] ||| source ||| target ||| Name=value ... ||| 0-0 1-1");
  }

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    return text;
  }

  // The words of a field, one after the other.
  static std::string_view next_word(std::string_view& text) {
    text = trimmed(text);
    std::size_t end = 0;
    while (end < text.size() && text[end] != ' ' && text[end] != '\t') ++end;
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
  }

  static std::string_view next_field(std::string_view& line) {
    const std::size_t bar = line.find("|||");
    const std::string_view field = trimmed(line.substr(0, bar));
    line.remove_prefix(bar == std::string_view::npos ? line.size() : bar + 3);
    return field;
  }

  void read_rule(std::string_view line) {
    const std::string_view left = next_field(line), source = next_field(line), target = next_field(line), features = next_field(line);
    if (left.size() < 3 || left.front() != '[' || left.back() != ']' || left.find_first_of(" ,") != std::string_view::npos)
      fail("'" + std::string(left) + "' is not a nonterminal");
    Side& side = side_of(label_number(left.substr(1, left.size() - 2)), source);
    ParsedRule rule;
    rule.target = read_target(target, side.nonterminals);
    read_features(features, rule);
    read_links(line, side.symbols.size(), rule);
    side.rules.push_back(std::move(rule));
  }

  // A nonterminal ([X,1], or [1] on the target side) has number 1 or 2; a word has number 0.
  struct Nonterminal {
    int number = 0;
    std::string_view label;
  };
  static Nonterminal nonterminal_in(std::string_view word) {
    if (word.size() < 3 || word.front() != '[' || word.back() != ']') return {};
    const std::string_view inside = word.substr(1, word.size() - 2);
    const std::size_t comma = inside.rfind(',');
    const std::string_view number = comma == std::string_view::npos ? inside : inside.substr(comma + 1);
    return {number == "1" ? 1 : number == "2" ? 2 : 0, comma == std::string_view::npos ? std::string_view() : inside.substr(0, comma)};
  }

  std::uint8_t label_number(std::string_view label) {
    const auto found = std::ranges::find(labels_, label);
    if (found == labels_.end() && labels_.size() == 255) fail("more than 255 different nonterminals");
    const auto number = static_cast<std::uint8_t>(found - labels_.begin());
    if (found == labels_.end()) labels_.emplace_back(label);
    return number;
  }

  Side& side_of(std::uint8_t label, std::string_view text) {
    std::string key(1, static_cast<char>(label));
    key += text;
    const auto [place, is_new] = side_numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(sides_.size()));
    if (!is_new) return sides_[place->second];
    Side& side = sides_.emplace_back();
    side.label = label;
    while (!trimmed(text).empty()) {
      const std::string_view word = next_word(text);
      const Nonterminal found = nonterminal_in(word);
      if (found.number > 0) {
        if (found.number != ++side.nonterminals || found.label.empty()) fail("the nonterminals of the source side must be [X,1], [X,2] in this order");
        side.children[static_cast<std::size_t>(found.number - 1)] = label_number(found.label);
      }
      side.symbols.push_back(found.number > 0 ? nonterminal(found.number - 1) : static_cast<Symbol>(source_vocab_->add(word)));
    }
    if (side.symbols.empty() || side.symbols.size() > 255) fail("the source side must have 1 to 255 symbols");
    return side;
  }

  std::vector<Symbol> read_target(std::string_view text, int nonterminals) {
    std::vector<Symbol> symbols;
    int seen = 0;  // bits
    while (!trimmed(text).empty()) {
      const std::string_view word = next_word(text);
      const int number = nonterminal_in(word).number;
      if (number > 0 && (seen & number) != 0) fail("a nonterminal comes twice on the target side");
      seen |= number;
      symbols.push_back(number > 0 ? nonterminal(number - 1) : static_cast<Symbol>(target_vocab_->add(word)));
    }
    if (seen != (1 << nonterminals) - 1) fail("source and target side have different nonterminals");
    if (symbols.size() > 255) fail("the target side must have at most 255 symbols");
    return symbols;
  }

  void read_features(std::string_view text, ParsedRule& rule) {
    while (!trimmed(text).empty()) {
      const std::string_view word = next_word(text);
      const std::size_t equals = word.rfind('=');
      float value = 0;
      const char* end = word.data() + word.size();
      if (equals == std::string_view::npos || equals == 0 || std::from_chars(word.data() + equals + 1, end, value).ptr != end || !std::isfinite(value) || equals + 1 == word.size())
        fail("'" + std::string(word) + "' is not a feature with a finite value");
      rule.features.emplace_back(feature_number(word.substr(0, equals), rule.features.size()), value);
    }
  }

  // Lines nearly always name the same features in the same order, so the number is guessed from the place in the line.
  std::uint32_t feature_number(std::string_view name, std::size_t place_in_line) {
    if (place_in_line < feature_names_->size() && (*feature_names_)[place_in_line] == name) return static_cast<std::uint32_t>(place_in_line);
    const auto [place, is_new] = feature_numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(feature_names_->size()));
    if (is_new) feature_names_->push_back(place->first);
    return place->second;
  }

  void read_links(std::string_view text, std::size_t source_length, ParsedRule& rule) {
    while (!trimmed(text).empty()) {
      const std::string_view word = next_word(text);
      unsigned source = 0, target = 0;
      const char* end = word.data() + word.size();
      const auto dash = std::from_chars(word.data(), end, source).ptr;
      if (dash == end || *dash != '-' || std::from_chars(dash + 1, end, target).ptr != end || dash + 1 == end) fail("'" + std::string(word) + "' is not an alignment link");
      if (source >= source_length || target >= rule.target.size()) fail("alignment link " + std::string(word) + " is outside the rule");
      rule.links.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
    }
  }

  Grammar finish() {
    auto block = std::make_shared<RuleBlock>();
    const std::size_t width = feature_names_->size();
    for (const Side& side : sides_) {
      SourceSide flat{static_cast<std::uint32_t>(block->symbols.size()), static_cast<std::uint32_t>(block->rules.size()), 0, 0,
                      static_cast<std::uint8_t>(side.symbols.size()), side.nonterminals, side.label, side.children};
      block->symbols.insert(block->symbols.end(), side.symbols.begin(), side.symbols.end());
      for (const ParsedRule& rule : side.rules) {
        block->rules.push_back({static_cast<std::uint32_t>(block->symbols.size()), static_cast<std::uint32_t>(block->links.size()),
                                static_cast<std::uint16_t>(rule.target.size()), static_cast<std::uint16_t>(rule.links.size())});
        block->symbols.insert(block->symbols.end(), rule.target.begin(), rule.target.end());
        block->links.insert(block->links.end(), rule.links.begin(), rule.links.end());
        block->features.resize(block->features.size() + width, 0);
        for (const auto& [feature, value] : rule.features) block->features[block->features.size() - width + feature] = value;
      }
      flat.rule_end = static_cast<std::uint32_t>(block->rules.size());
      block->sides.push_back(flat);
    }
    Grammar grammar{source_vocab_, target_vocab_, feature_names_, {}, labels_};
    if (!block->rules.empty()) grammar.blocks.push_back(std::move(block));
    return grammar;
  }

  const std::string& file_;
  std::uint64_t line_ = 0;
  std::shared_ptr<Vocab> source_vocab_ = std::make_shared<Vocab>(), target_vocab_ = std::make_shared<Vocab>();
  std::shared_ptr<std::vector<std::string>> feature_names_ = std::make_shared<std::vector<std::string>>();
  std::unordered_map<std::string, std::uint32_t> feature_numbers_, side_numbers_;
  std::vector<Side> sides_;
  std::vector<std::string> labels_ = {"X"};
};

}  // namespace

std::string to_cdec_format(const Grammar& grammar) {
  std::string out, source;
  for (const auto& block : grammar.blocks)
    for (const SourceSide& side : block->sides) {
      source.clear();
      append_symbols(source, block->source(side), *grammar.source_vocab, grammar, side);
      for (std::uint32_t r = side.rule_begin; r < side.rule_end; ++r) append_rule(out, grammar, *block, side, source, r);
    }
  return out;
}

Grammar from_cdec_format(std::string_view text, const std::string& file) { return Reader(file).read(text); }

}  // namespace demotic
