#include "grammar/cdec_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace demotic {
namespace {

constexpr std::string_view kBar = "|||";
constexpr std::size_t kMaxLength = 255, kMaxLabels = 255;
constexpr std::size_t kMaxValues = std::size_t{1} << 31;  // rules x features

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void skip_blanks(std::string_view& line) {
  std::size_t blanks = 0;
  while (blanks < line.size() && is_blank(line[blanks])) ++blanks;
  line.remove_prefix(blanks);
}

bool ends_word(std::string_view rest) {
  return rest.empty() || is_blank(rest.front()) || rest.starts_with(kBar);
}

// Takes the next word of a field off the line. At the end of the field: takes off the bar, too, and
// returns an empty word.
std::string_view next_word(std::string_view& line) {
  skip_blanks(line);
  if (line.starts_with(kBar)) {
    line.remove_prefix(kBar.size());
    return {};
  }
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at != end && !is_blank(*at) &&
         (*at != '|' || !std::string_view(at, end).starts_with(kBar)))
    ++at;
  const std::string_view word(line.data(), at);
  line = {at, end};
  return word;
}

// A nonterminal ([X,1], or [1] on the target side); a word has the number 0.
struct Nonterminal {
  unsigned number = 0;
  std::string_view label;
};

Nonterminal nonterminal_in(std::string_view word) {
  if (word.size() < 3 || word.front() != '[' || word.back() != ']') return {};
  const std::string_view inside = word.substr(1, word.size() - 2);
  const std::size_t comma = inside.rfind(',');
  const std::string_view digits =
      comma == std::string_view::npos ? inside : inside.substr(comma + 1);
  unsigned number = 0;
  const char* const end = digits.data() + digits.size();
  if (digits.empty() || std::from_chars(digits.data(), end, number).ptr != end) return {};
  return {number, comma == std::string_view::npos ? std::string_view() : inside.substr(0, comma)};
}

// Finite in single precision; numbers too small for it are 0.
bool parse_value(std::string_view text, float& value) {
  double number = 0;
  const auto [length, error] = parse_number(text, number);
  const bool too_small =
      error == std::errc::result_out_of_range && text.find("e-") != std::string_view::npos;
  value = too_small ? 0.0f : static_cast<float>(number);
  return length == text.size() && (error == std::errc() || too_small) && std::isfinite(value);
}

}  // namespace

std::size_t CdecReader::HashSide::operator()(std::uint32_t number) const {
  const SourceSide& side = reader->block_->sides[number];
  std::uint64_t hash = mix(side.label | std::uint64_t{side.children[0]} << 8 |
                           std::uint64_t{side.children[1]} << 16);
  for (const Symbol symbol : reader->block_->source(side))
    hash = mix(hash ^ static_cast<std::uint32_t>(symbol));
  return hash;
}

bool CdecReader::SameSide::operator()(std::uint32_t a, std::uint32_t b) const {
  const SourceSide &one = reader->block_->sides[a], &other = reader->block_->sides[b];
  return one.label == other.label && one.children == other.children &&
         std::ranges::equal(reader->block_->source(one), reader->block_->source(other));
}

CdecReader::CdecReader(std::string file)
    : file_(std::move(file)), sides_(0, HashSide{this}, SameSide{this}) {}

void CdecReader::fail(const std::string& what) const {
  throw Error(what, file_, line_,
              "expected  [X] ||| source ||| target ||| Name=value ... ||| 0-0 1-1");
}

void CdecReader::add(std::string_view lines) {
  last_sides_ = {};
  last_fields_.clear();
  while (!lines.empty()) {
    ++line_;
    std::string_view line = next_line(lines);
    skip_blanks(line);
    if (!line.empty()) read_rule(line);
  }
}

void CdecReader::read_rule(std::string_view line) {
  const bool same_side = !last_sides_.empty() && line.starts_with(last_sides_);
  const std::string_view whole = line;
  std::uint32_t side = same_side ? side_of_.back() : 0;
  if (same_side) {
    line.remove_prefix(last_sides_.size());
  } else {
    side = read_side(line);
    last_sides_ = whole.substr(0, whole.size() - line.size());
    if (!last_sides_.ends_with(kBar)) last_sides_ = {};  // the line ends here
  }
  RuleBlock& block = *block_;
  block.rules.push_back({static_cast<std::uint32_t>(block.symbols.size()),
                         static_cast<std::uint32_t>(block.links.size()), 0, 0});
  side_of_.push_back(side);
  read_target(line, block.sides[side]);
  read_features(line);
  read_links(line, block.sides[side]);
}

// The left-hand side and the source side; a new one or one that has been there before.
std::uint32_t CdecReader::read_side(std::string_view& line) {
  std::string_view left = line.substr(0, line.find(kBar));
  while (!left.empty() && is_blank(left.back())) left.remove_suffix(1);
  if (left.size() < 3 || left.front() != '[' || left.back() != ']' ||
      left.find_first_of(" ,") != std::string_view::npos)
    fail("'" + std::string(left) + "' is not a nonterminal");
  line.remove_prefix(left.size());
  next_word(line);

  RuleBlock& block = *block_;
  const auto number = static_cast<std::uint32_t>(block.sides.size());
  SourceSide side{static_cast<std::uint32_t>(block.symbols.size()), 0,     0, 0, 0, 0,
                  label_number(left.substr(1, left.size() - 2)),    {0, 0}};
  read_source(line, side);
  block.sides.push_back(side);
  const auto [known, is_new] = sides_.insert(number);
  if (!is_new) {
    block.sides.pop_back();
    block.symbols.resize(side.symbol_begin);
  }
  return *known;
}

void CdecReader::read_source(std::string_view& line, SourceSide& side) {
  auto& symbols = block_->symbols;
  for (std::string_view word; !(word = next_word(line)).empty();) {
    const Nonterminal found = nonterminal_in(word);
    if (found.number > 0 && !found.label.empty()) {
      if (found.number > 2 || found.number != ++side.nonterminals)
        fail("the nonterminals of the source side must be [X,1], [X,2] in this order");
      side.children[found.number - 1] = label_number(found.label);
      symbols.push_back(nonterminal(static_cast<int>(found.number) - 1));
    } else {
      symbols.push_back(static_cast<Symbol>(source_vocab_->add(word)));
    }
  }
  const std::size_t length = symbols.size() - side.symbol_begin;
  if (length == 0 || length > kMaxLength) fail("the source side must have 1 to 255 symbols");
  side.length = static_cast<std::uint8_t>(length);
}

void CdecReader::read_target(std::string_view& line, const SourceSide& side) {
  auto& symbols = block_->symbols;
  const std::size_t first = symbols.size();
  unsigned seen = 0;  // bits
  for (std::string_view word; !(word = next_word(line)).empty();) {
    const unsigned number = word.front() == '[' ? nonterminal_in(word).number : 0;
    if (number > 2) fail("a rule has at most two nonterminals");
    if ((seen & number) != 0) fail("a nonterminal comes twice on the target side");
    seen |= number;
    symbols.push_back(number > 0 ? nonterminal(static_cast<int>(number) - 1)
                                 : static_cast<Symbol>(target_vocab_->add(word)));
  }
  if (seen != (1u << side.nonterminals) - 1)
    fail("source and target side have different nonterminals");
  const std::size_t length = symbols.size() - first;
  if (length > kMaxLength) fail("the target side must have at most 255 symbols");
  block_->rules.back().target_length = static_cast<std::uint16_t>(length);
}

void CdecReader::read_features(std::string_view& line) {
  for (std::size_t place = 0;; ++place) {
    skip_blanks(line);
    if (place < last_fields_.size() && repeat_field(line, last_fields_[place])) {
      values_.push_back(last_fields_[place].value);
      continue;
    }
    const std::string_view word = next_word(line);
    if (word.empty()) break;
    const std::size_t equals = word.rfind('=');
    Field field{word, equals + 1, {}};
    if (equals == std::string_view::npos || equals == 0 ||
        !parse_value(word.substr(equals + 1), field.value.value))
      fail("'" + std::string(word) + "' is not a feature with a finite value");
    field.value.feature = feature_number(word.substr(0, equals), place);
    values_.push_back(field.value);
    last_fields_.resize(std::max(last_fields_.size(), place + 1));
    last_fields_[place] = field;
  }
  value_ends_.push_back(values_.size());
}

// Takes a feature off the line if it is the same one as in the line before, there in the same
// place: often with the same value.
bool CdecReader::repeat_field(std::string_view& line, Field& last) {
  if (line.starts_with(last.text) && ends_word(line.substr(last.text.size()))) {
    line.remove_prefix(last.text.size());
    return true;
  }
  if (!line.starts_with(last.text.substr(0, last.value_begin))) return false;
  std::string_view rest = line.substr(last.value_begin);
  if (ends_word(rest)) return false;
  const std::string_view number = next_word(rest);
  if (!parse_value(number, last.value.value)) return false;
  last.text = line.substr(0, last.value_begin + number.size());
  line = rest;
  return true;
}

// Lines nearly always name the same features in the same order, so the number is guessed from the
// place in the line.
std::uint32_t CdecReader::feature_number(std::string_view name, std::size_t place) {
  if (place < feature_names_->size() && (*feature_names_)[place] == name)
    return static_cast<std::uint32_t>(place);
  const auto number = static_cast<std::uint32_t>(std::ranges::find(*feature_names_, name) -
                                                 feature_names_->begin());
  if (number == feature_names_->size()) feature_names_->emplace_back(name);
  return number;
}

void CdecReader::read_links(std::string_view& line, const SourceSide& side) {
  Rule& rule = block_->rules.back();
  for (std::string_view word; !(word = next_word(line)).empty(); ++rule.link_count) {
    unsigned source = 0, target = 0;
    const char* const end = word.data() + word.size();
    const char* const dash = std::from_chars(word.data(), end, source).ptr;
    if (dash == end || *dash != '-' || dash + 1 == end ||
        std::from_chars(dash + 1, end, target).ptr != end)
      fail("'" + std::string(word) + "' is not an alignment link");
    if (source >= side.length || target >= rule.target_length)
      fail("alignment link " + std::string(word) + " is outside the rule");
    block_->links.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
  }
}

std::uint8_t CdecReader::label_number(std::string_view label) {
  const auto found = std::ranges::find(labels_, label);
  const auto number = static_cast<std::uint8_t>(found - labels_.begin());
  if (found != labels_.end()) return number;
  if (labels_.size() == kMaxLabels) fail("more than 255 different nonterminals");
  labels_.emplace_back(label);
  return number;
}

Grammar CdecReader::finish() {
  group_by_side();
  spread_features();
  Grammar grammar{source_vocab_, target_vocab_, feature_names_, {}, labels_};
  if (!block_->rules.empty()) grammar.blocks.push_back(std::move(block_));
  return grammar;
}

// The rules of a side must stand together; in most files they do.
void CdecReader::group_by_side() {
  RuleBlock& block = *block_;
  for (const std::uint32_t side : side_of_) ++block.sides[side].rule_end;
  std::uint32_t begin = 0;
  for (SourceSide& side : block.sides) {
    side.rule_begin = begin;
    begin = side.rule_end += begin;
  }
  if (std::ranges::is_sorted(side_of_)) return;
  std::vector<std::uint32_t> order(side_of_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [this](std::uint32_t rule) { return side_of_[rule]; });
  std::vector<Rule> rules;
  std::vector<Value> values;
  std::vector<std::uint64_t> value_ends;
  for (const std::uint32_t rule : order) {
    rules.push_back(block.rules[rule]);
    values.insert(
        values.end(),
        values_.begin() + static_cast<std::ptrdiff_t>(rule == 0 ? 0 : value_ends_[rule - 1]),
        values_.begin() + static_cast<std::ptrdiff_t>(value_ends_[rule]));
    value_ends.push_back(values.size());
  }
  block.rules.swap(rules);
  values_.swap(values);
  value_ends_.swap(value_ends);
}

// One row per rule, as wide as there are features.
void CdecReader::spread_features() {
  const std::size_t width = feature_names_->size();
  if (width > 0 && block_->rules.size() > kMaxValues / width)
    throw Error("too many rules with too many different features", file_, 0,
                "features of single rules belong to templates: --features id");
  block_->features.resize(block_->rules.size() * width);
  std::size_t next = 0;
  for (std::size_t rule = 0; rule < value_ends_.size(); ++rule)
    for (; next < value_ends_[rule]; ++next)
      block_->features[rule * width + values_[next].feature] = values_[next].value;
}

}  // namespace demotic
