#include "lm/arpa_reader.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "lm/words.hpp"

namespace demotic {
namespace {

constexpr float kZeroProbability = -99, kMissingUnknown = -100;

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

ArpaReader::ArpaReader(std::string file) : file_(std::move(file)) {
  ngrams_.vocab = special_words();
}

void ArpaReader::fail(const std::string& message, const std::string& hint) const {
  throw Error(message, file_, line_, hint);
}

void ArpaReader::refuse(const std::string& message, const std::string& hint) {
  link_waiting();
  fail(message, hint);
}

void ArpaReader::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    if (rest_.empty()) {
      text_end_ = text.data() + text.size();
      line(text.substr(0, end));
    } else {
      rest_ += text.substr(0, end);
      end_rest();
    }
    text.remove_prefix(end + 1);
  }
  link_waiting();
  rest_ += text;
}

void ArpaReader::end_rest() {
  text_end_ = rest_.data() + rest_.size();
  line(rest_);
  link_waiting();
  rest_.clear();
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
        link_waiting();
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
  std::string_view keyword;
  std::string rest;  // without spaces: "ngram 1=5" and "ngram 1= 5" are the same
  for_each_word(line, [&](std::string_view word) {
    if (keyword.empty())
      keyword = word;
    else
      rest += word;
  });
  unsigned order = 0;
  std::uint64_t count = 0;
  const char* const end = rest.data() + rest.size();
  const auto [equals, bad_order] = std::from_chars(rest.data(), end, order);
  const bool ok = keyword == "ngram" && bad_order == std::errc() && equals != end && *equals == '=';
  const auto [rest_end, bad_count] = std::from_chars(ok ? equals + 1 : end, end, count);
  if (!ok || bad_count != std::errc() || rest_end != end)
    fail("expected a line like 'ngram 1=4391', found '" + std::string(line) + "'", kDamagedArpa);
  if (order != announced_.size() + 1)
    fail("the numbers of n-grams must begin with order 1 and leave none out", kDamagedArpa);
  if (order > kMaxOrder)
    fail("order " + std::to_string(order) + " is more than " + std::to_string(kMaxOrder));
  announced_.push_back(count);
}

void ArpaReader::begin_section(std::string_view line) {
  if (announced_.empty()) fail("the header says nothing about the number of n-grams", kDamagedArpa);
  if (line == "\\end\\") {
    if (section_ != announced_.size())
      fail("\\end\\ comes before the n-grams of order " + std::to_string(section_ + 1),
           kDamagedArpa);
    place_ = Place::kEnd;
    return;
  }
  if (section_ == announced_.size())
    fail("expected \\end\\, found '" + std::string(line) + "'", kDamagedArpa);
  if (section_order(line) != section_ + 1)
    fail("expected the n-grams of order " + std::to_string(section_ + 1) + ", found '" +
             std::string(line) + "'",
         kDamagedArpa);
  place_ = Place::kNgrams;
  read_ = 0;
  ++section_;
  ngrams_.levels.emplace_back();
  tables_.emplace_back();
  prepare_section();
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
  const unsigned found = split(line);
  const bool has_backoff = found == section_ + 2;
  if (found != section_ + 1 && !has_backoff)
    refuse("expected a probability, " + std::to_string(section_) + " words and a backoff, found " +
               std::to_string(found) + " fields",
           kDamagedArpa);
  const std::string_view* const fields = fields_of(waiting_.size());
  const float prob = number(fields[0], "probability"),
              backoff = has_backoff ? number(fields[section_ + 1], "backoff") : 0;
  if (prob > 0)
    refuse("the log10 probability " + std::string(fields[0]) + " is positive",
           "a probability cannot be more than 1");
  if (section_ == announced_.size() && backoff != 0)
    refuse("a backoff for the highest order", "n-grams of the highest order have none");
  ++read_;
  if (section_ == 1)
    add_unigram(fields[1], prob, backoff);
  else
    add_waiting(prob, backoff);
}

// Puts the fields of a line behind those of the n-grams that wait; returns how many there are, of
// which those that are too many are not kept.
unsigned ArpaReader::split(std::string_view line) {
  std::string_view* const fields = fields_of(waiting_.size());
  const char* position = line.data();
  const char* const end = position + line.size();
  for (unsigned found = 0;; ++found) {
    while (position != end && is_space(*position)) ++position;
    if (position == end) return found;
    const char* const begin = position;
    position = word_end(begin, end, text_end_);
    if (found < section_ + 2) fields[found] = {begin, static_cast<std::size_t>(position - begin)};
  }
}

float ArpaReader::number(std::string_view field, const char* what) {
  float value = 0;
  if (parse_decimal(field, value)) return value;
  const auto [length, error] = parse_number(field, value);
  const bool tiny = error == std::errc::result_out_of_range &&
                    field.find("e-") != std::string_view::npos;  // too small for a float: 0
  if ((error != std::errc() && !tiny) || length != field.size() || std::isnan(value) ||
      value == INFINITY)
    refuse(std::string("the ") + what + " '" + std::string(field) + "' is not a number",
           kDamagedArpa);
  return tiny ? 0 : value == -INFINITY ? kZeroProbability : value;
}

void ArpaReader::add_unigram(std::string_view word, float prob, float backoff) {
  if (word == "<UNK>") word = kUnknownWord;
  Ngrams::Level& level = ngrams_.levels[0];
  const std::size_t known = ngrams_.vocab.size();
  const WordId id = ngrams_.vocab.add(word);
  if (id < known && (id > kEnd || std::exchange(seen_[id], true)))
    fail("the word '" + std::string(word) + "' comes twice", kDamagedArpa);
  if (id == known) {
    level.first.push_back(id);
    level.prob.push_back(0);
    level.backoff.push_back(0);
  }
  level.prob[id] = prob;
  level.backoff[id] = backoff;
}

Ngrams ArpaReader::finish() {
  if (!rest_.empty()) end_rest();
  if (place_ == Place::kBefore)
    fail("this is not an ARPA file: it has no \\data\\ line",
         "expected a language model in ARPA format");
  if (place_ != Place::kEnd)
    fail("the file ends without \\end\\", "it is truncated: copy or build it again");
  tables_ = {};
  ngrams_.levels.back().backoff = {};
  return std::move(ngrams_);
}

}  // namespace demotic
