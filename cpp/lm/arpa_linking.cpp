// The half of ArpaReader that puts n-grams of two and more words in their places.
//
// Each is looked up in tables of many megabytes: its beginnings from the shortest to the longest,
// then itself, then the n-gram without its first word. They wait until there are some dozens of
// them, which then take each step together, so that memory answers their questions at the same
// time.
#include <algorithm>

#include "base/error.hpp"
#include "lm/arpa_reader.hpp"
#include "lm/words.hpp"

namespace demotic {
namespace {

constexpr std::size_t kTogether = 64;
// Headers may announce anything: memory is made ready for no more n-grams than this.
constexpr std::uint64_t kReserved = 1 << 22;

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) (text += text.empty() ? "" : " ") += word;
  return text;
}

}  // namespace

void ArpaReader::prepare_section() {
  fields_.resize(kTogether * (section_ + 2));
  keys_.resize(kTogether * section_);
  ids_.resize(kTogether * section_);
  if (section_ == 1) return;
  if (section_ == 2) words_ = WordTable(ngrams_.vocab);
  const auto expected = static_cast<std::size_t>(std::min(announced_[section_ - 1], kReserved));
  tables_[section_ - 1].reserve(expected);
  Ngrams::Level& level = ngrams_.levels[section_ - 1];
  level.first.reserve(expected);
  level.suffix.reserve(expected);
  level.context.reserve(expected);
  level.prob.reserve(expected);
  level.backoff.reserve(expected);
}

// The n-gram whose fields were split last waits for its place.
void ArpaReader::add_waiting(float prob, float backoff) {
  const std::size_t index = waiting_.size();
  const std::span<std::string_view> words(fields_of(index) + 1, section_);
  WordTable::Key* const keys = keys_.data() + index * section_;
  for (unsigned i = 0; i < section_; ++i) {
    keys[i] = WordTable::key_of(words[i], text_end_);
    words_.prefetch(keys[i]);
  }
  waiting_.push_back({line_, prob, backoff, 0, 0});
  if (waiting_.size() == kTogether) link_waiting();
}

void ArpaReader::find_words() {
  for (std::size_t index = 0; index < waiting_.size(); ++index) {
    const std::span<const std::string_view> words = words_of(index);
    const WordTable::Key* const keys = keys_.data() + index * section_;
    WordId* const ids = ids_of(index);
    bool complete = true;
    for (unsigned i = 0; i < section_; ++i) {
      // Most files are sorted, so that most words are those of the line before.
      const bool again = index > 0 && keys[i].hash == (keys - section_)[i].hash &&
                         words[i] == words_of(index - 1)[i];
      ids[i] = again ? (ids - section_)[i] : words_.find(words[i], keys[i]);
      if (ids[i] == WordTable::kAbsent && words[i] == "<UNK>") ids[i] = kUnknown;
      complete = complete && ids[i] != WordTable::kAbsent;
    }
    waiting_[index].context = complete ? ids[0] : NgramTable::kAbsent;
  }
}

void ArpaReader::link_waiting() {
  if (waiting_.empty()) return;
  const std::uint64_t current = line_;
  find_words();
  find_contexts();
  for (std::size_t i = 0; i < waiting_.size(); ++i) add_ngram(i);
  line_ = current;
  waiting_.clear();
}

// Contexts, as far as they are there yet, and requests for the memory that add_ngram reads.
void ArpaReader::find_contexts() {
  for (unsigned length = 1; length + 1 < section_; ++length) {
    const NgramTable& table = tables_[length];
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      waiting_[i].hash = NgramTable::hash(waiting_[i].context, ids_of(i)[length]);
      table.prefetch(waiting_[i].hash);
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i)
      if (std::uint32_t& context = waiting_[i].context; context != NgramTable::kAbsent)
        context = table.find(waiting_[i].hash, context, ids_of(i)[length]);
  }
  const auto& shorter = ngrams_.levels[section_ - 2];
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    waiting_[i].hash = NgramTable::hash(waiting_[i].context, ids_of(i)[section_ - 1]);
    tables_[section_ - 1].prefetch(waiting_[i].hash);
    if (section_ > 2 && waiting_[i].context != NgramTable::kAbsent)
      __builtin_prefetch(&shorter.suffix[waiting_[i].context]);
  }
  if (section_ == 2) return;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].context != NgramTable::kAbsent)
      tables_[section_ - 2].prefetch(
          NgramTable::hash(shorter.suffix[waiting_[i].context], ids_of(i)[section_ - 1]));
}

void ArpaReader::add_ngram(std::size_t index) {
  Waiting& ngram = waiting_[index];
  const WordId first = ids_of(index)[0], last = ids_of(index)[section_ - 1];
  line_ = ngram.line;
  if (ngram.context == NgramTable::kAbsent) {
    ngram.context = context_of(index);
    ngram.hash = NgramTable::hash(ngram.context, last);
  }
  const std::uint32_t place = next_place(section_);
  if (tables_[section_ - 1].insert(ngram.hash, ngram.context, last, place) != NgramTable::kAbsent)
    fail("the n-gram '" + join(words_of(index)) + "' comes twice", kDamagedArpa);
  const std::uint32_t suffix =
      section_ == 2
          ? last
          : with_suffixes(section_ - 1, ngrams_.levels[section_ - 2].suffix[ngram.context], last);
  append(section_, first, ngram.context, suffix, ngram.prob, ngram.backoff);
}

// The context step by step. Says what is missing; that may be nothing, if an n-gram that waited
// before this one has brought it.
std::uint32_t ArpaReader::context_of(std::size_t index) {
  const std::span<const std::string_view> words = words_of(index);
  const WordId* const ids = ids_of(index);
  std::uint32_t context = ids[0];
  for (unsigned i = 0; i < section_; ++i) {
    if (ids[i] == WordTable::kAbsent)
      fail("the word '" + std::string(words[i]) + "' is not among the unigrams", kDamagedArpa);
    if (i > 0 && i + 1 < section_)
      context = tables_[i].find(NgramTable::hash(context, ids[i]), context, ids[i]);
    if (context == NgramTable::kAbsent)
      fail("the n-gram '" + join(words.first(i + 1)) + "' is missing, but '" + join(words) +
               "' begins with it",
           kDamagedArpa);
  }
  return context;
}

// The n-gram (context, word), put in if it is missing.
std::uint32_t ArpaReader::with_suffixes(unsigned order, std::uint32_t context, WordId word) {
  const std::uint64_t hash = NgramTable::hash(context, word);
  NgramTable& table = tables_[order - 1];
  if (const std::uint32_t found = table.find(hash, context, word); found != NgramTable::kAbsent)
    return found;
  const Ngrams::Level& shorter = ngrams_.levels[order - 2];
  const std::uint32_t suffix =
      order == 2 ? word : with_suffixes(order - 1, shorter.suffix[context], word);
  const float prob = shorter.backoff[context] + shorter.prob[suffix];
  const std::uint32_t place = next_place(order);
  table.insert(hash, context, word, place);
  append(order, shorter.first[context], context, suffix, std::min(prob, 0.0f), 0);
  return place;
}

std::uint32_t ArpaReader::next_place(unsigned order) const {
  const std::size_t size = ngrams_.levels[order - 1].size();
  if (size >= NgramTable::kMost) fail("more than 2 billion n-grams of one order");
  return static_cast<std::uint32_t>(size);
}

void ArpaReader::append(unsigned order, WordId first, std::uint32_t context, std::uint32_t suffix,
                        float prob, float backoff) {
  Ngrams::Level& level = ngrams_.levels[order - 1];
  level.first.push_back(first);
  level.suffix.push_back(suffix);
  level.context.push_back(context);
  level.prob.push_back(prob);
  level.backoff.push_back(backoff);
}

}  // namespace demotic
