#include "lm/arpa_reader.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "lm/words.hpp"

namespace demotic {
namespace {

constexpr float kZeroProbability = -99, kMissingUnknown = -100;
constexpr const char* kDamaged = "the file is damaged or not in ARPA format";

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) (text += text.empty() ? "" : " ") += word;
  return text;
}

// "\3-grams:" -> 3; 0 for any other line.
unsigned section_order(std::string_view line) {
  unsigned order = 0;
  if (line.size() < 2 || line.front() != '\\') return 0;
  const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), order);
  return error == std::errc() && std::string_view(end, line.data() + line.size()) == "-grams:"
             ? order
             : 0;
}

}  // namespace

std::size_t ArpaReader::Table::slot_of(std::uint32_t context, WordId word) const {
  std::size_t slot = mix((std::uint64_t{context} << 32) | word) & (slots_.size() - 1);
  while (slots_[slot].place != kAbsent &&
         (slots_[slot].context != context || slots_[slot].word != word))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::uint32_t ArpaReader::Table::find(std::uint32_t context, WordId word) const {
  return slots_.empty() ? kAbsent : slots_[slot_of(context, word)].place;
}

void ArpaReader::Table::insert(std::uint32_t context, WordId word, std::uint32_t place) {
  if (3 * (used_ + 1) > 2 * slots_.size()) {
    const std::vector<Slot> old = std::exchange(
        slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size(), Slot{0, 0, kAbsent}));
    for (const Slot& slot : old)
      if (slot.place != kAbsent) slots_[slot_of(slot.context, slot.word)] = slot;
  }
  slots_[slot_of(context, word)] = {context, word, place};
  ++used_;
}

ArpaReader::ArpaReader(std::string file) : file_(std::move(file)) {
  ngrams_.vocab = special_words();
}

void ArpaReader::fail(const std::string& message, const std::string& hint) const {
  throw Error(message, file_, line_, hint);
}

void ArpaReader::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      rest_ += text;
      return;
    }
    if (rest_.empty()) {
      line(next_line(text));
    } else {
      rest_ += next_line(text);
      line(rest_);
      rest_.clear();
    }
  }
}

void ArpaReader::line(std::string_view line) {
  ++line_;
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  if (line.empty() || place_ == Place::kEnd) return;
  switch (place_) {
    case Place::kBefore:
      if (line == "\\data\\") place_ = Place::kHeader;
      return;
    case Place::kHeader:
      if (line.front() == '\\')
        begin_section(line);
      else
        header_line(line);
      return;
    case Place::kNgrams:
      if (section_order(line) > 0 || line == "\\end\\") {
        end_section();
        begin_section(line);
      } else {
        ngram_line(line);
      }
      return;
    case Place::kEnd:
      return;
  }
}

void ArpaReader::header_line(std::string_view line) {
  fields_.clear();
  for_each_word(line, [this](std::string_view word) { fields_.push_back(word); });
  std::string rest;
  for (std::size_t i = 1; i < fields_.size(); ++i)
    rest += fields_[i];  // "ngram 1=5" and "ngram 1= 5" are the same
  unsigned order = 0;
  std::uint64_t count = 0;
  const char* const end = rest.data() + rest.size();
  const auto [equals, bad_order] = std::from_chars(rest.data(), end, order);
  const bool ok =
      fields_[0] == "ngram" && bad_order == std::errc() && equals != end && *equals == '=';
  const auto [rest_end, bad_count] = std::from_chars(ok ? equals + 1 : end, end, count);
  if (!ok || bad_count != std::errc() || rest_end != end)
    fail("expected a line like 'ngram 1=4391', found '" + std::string(line) + "'", kDamaged);
  if (order != announced_.size() + 1)
    fail("the numbers of n-grams must begin with order 1 and leave none out", kDamaged);
  if (order > kMaxOrder)
    fail("order " + std::to_string(order) + " is more than " + std::to_string(kMaxOrder));
  announced_.push_back(count);
}

void ArpaReader::begin_section(std::string_view line) {
  if (announced_.empty()) fail("the header says nothing about the number of n-grams", kDamaged);
  if (line == "\\end\\") {
    if (section_ != announced_.size())
      fail("\\end\\ comes before the n-grams of order " + std::to_string(section_ + 1), kDamaged);
    place_ = Place::kEnd;
    return;
  }
  if (section_ == announced_.size())
    fail("expected \\end\\, found '" + std::string(line) + "'", kDamaged);
  if (section_order(line) != section_ + 1)
    fail("expected the n-grams of order " + std::to_string(section_ + 1) + ", found '" +
             std::string(line) + "'",
         kDamaged);
  place_ = Place::kNgrams;
  read_ = 0;
  ++section_;
  ngrams_.levels.emplace_back();
  tables_.emplace_back();
  if (section_ > 1) return;
  ngrams_.levels[0].first = {kUnknown, kBegin, kEnd};
  ngrams_.levels[0].prob.assign(3, kMissingUnknown);
  ngrams_.levels[0].backoff.assign(3, 0);
}

void ArpaReader::end_section() {
  if (read_ != announced_[section_ - 1])
    fail("there are " + std::to_string(read_) + " n-grams of order " + std::to_string(section_) +
             ", the header says " + std::to_string(announced_[section_ - 1]),
         "the file is damaged, or was edited by hand");
  if (section_ > 1) return;
  for (const WordId word : {kBegin, kEnd})
    if (!seen_[word])
      fail("the model has no " + std::string(ngrams_.vocab.word(word)),
           "train it on sentences with <s> and </s>");
}

void ArpaReader::ngram_line(std::string_view line) {
  fields_.clear();
  for_each_word(line, [this](std::string_view word) { fields_.push_back(word); });
  const bool has_backoff = fields_.size() == section_ + 2;
  if (fields_.size() != section_ + 1 && !has_backoff)
    fail("expected a probability, " + std::to_string(section_) + " words and a backoff, found " +
             std::to_string(fields_.size()) + " fields",
         kDamaged);
  const float prob = number(fields_[0], "probability"),
              backoff = has_backoff ? number(fields_.back(), "backoff") : 0;
  if (prob > 0)
    fail("the log10 probability " + std::string(fields_[0]) + " is positive",
         "a probability cannot be more than 1");
  if (section_ == announced_.size() && backoff != 0)
    fail("a backoff for the highest order", "n-grams of the highest order have none");
  ++read_;
  if (section_ == 1)
    add_unigram(fields_[1], prob, backoff);
  else
    add_ngram(prob, backoff);
}

float ArpaReader::number(std::string_view field, const char* what) const {
  float value = 0;
  const auto [length, error] = parse_number(field, value);
  const bool tiny = error == std::errc::result_out_of_range &&
                    field.find("e-") != std::string_view::npos;  // too small for a float: 0
  if ((error != std::errc() && !tiny) || length != field.size() || std::isnan(value) ||
      value == INFINITY)
    fail(std::string("the ") + what + " '" + std::string(field) + "' is not a number", kDamaged);
  return tiny ? 0 : value == -INFINITY ? kZeroProbability : value;
}

void ArpaReader::add_unigram(std::string_view word, float prob, float backoff) {
  if (word == "<UNK>") word = kUnknownWord;
  Ngrams::Level& level = ngrams_.levels[0];
  const std::size_t known = ngrams_.vocab.size();
  const WordId id = ngrams_.vocab.add(word);
  if (id < known && (id > kEnd || std::exchange(seen_[id], true)))
    fail("the word '" + std::string(word) + "' comes twice", kDamaged);
  if (id == known) {
    level.first.push_back(id);
    level.prob.push_back(0);
    level.backoff.push_back(0);
  }
  level.prob[id] = prob;
  level.backoff[id] = backoff;
}

void ArpaReader::add_ngram(float prob, float backoff) {
  const std::span<const std::string_view> words(fields_.data() + 1, section_);
  std::uint32_t context = 0;
  WordId word = 0;
  for (unsigned i = 0; i < section_; ++i) {
    const auto id = ngrams_.vocab.find(words[i] == "<UNK>" ? kUnknownWord : words[i]);
    if (!id) fail("the word '" + std::string(words[i]) + "' is not among the unigrams", kDamaged);
    word = *id;
    if (i + 1 < section_) context = i == 0 ? word : tables_[i].find(context, word);
    if (context == Table::kAbsent)
      fail("the n-gram '" + join(words.first(i + 1)) + "' is missing, but '" + join(words) +
               "' begins with it",
           kDamaged);
  }
  if (tables_[section_ - 1].find(context, word) != Table::kAbsent)
    fail("the n-gram '" + join(words) + "' comes twice", kDamaged);
  const std::uint32_t suffix =
      section_ == 2
          ? word
          : with_suffixes(section_ - 1, ngrams_.levels[section_ - 2].suffix[context], word);
  append(section_, context, word, suffix, prob, backoff);
}

// The n-gram (context, word), put in if it is missing.
std::uint32_t ArpaReader::with_suffixes(unsigned order, std::uint32_t context, WordId word) {
  if (const std::uint32_t found = tables_[order - 1].find(context, word); found != Table::kAbsent)
    return found;
  const std::uint32_t suffix =
      order == 2 ? word : with_suffixes(order - 1, ngrams_.levels[order - 2].suffix[context], word);
  const float prob =
      ngrams_.levels[order - 2].backoff[context] + ngrams_.levels[order - 2].prob[suffix];
  return append(order, context, word, suffix, std::min(prob, 0.0f), 0);
}

std::uint32_t ArpaReader::append(unsigned order, std::uint32_t context, WordId word,
                                 std::uint32_t suffix, float prob, float backoff) {
  Ngrams::Level& level = ngrams_.levels[order - 1];
  if (level.size() >= Table::kAbsent) fail("more than 4 billion n-grams of one order");
  const auto place = static_cast<std::uint32_t>(level.size());
  level.first.push_back(ngrams_.levels[order - 2].first[context]);
  level.suffix.push_back(suffix);
  level.context.push_back(context);
  level.prob.push_back(prob);
  level.backoff.push_back(backoff);
  tables_[order - 1].insert(context, word, place);
  return place;
}

Ngrams ArpaReader::finish() {
  if (!rest_.empty()) line(std::exchange(rest_, ""));
  if (place_ == Place::kBefore)
    fail("this is not an ARPA file: it has no \\data\\ line",
         "expected a language model in ARPA format");
  if (place_ != Place::kEnd)
    fail("the file ends without \\end\\", "it is truncated: copy or build it again");
  ngrams_.levels.back().backoff = {};
  return std::move(ngrams_);
}

}  // namespace demotic
