// A corpus ready for rule extraction: both sides with suffix arrays, one record per sentence pair,
// lexical counts; one memory-mapped file, about 40 bytes per source word.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/section_file.hpp"
#include "corpus/bitext.hpp"
#include "grammar/indexed_text.hpp"
#include "grammar/lexicon.hpp"
#include "grammar/sentence_record.hpp"

namespace demotic {

struct IndexReport {
  std::size_t pairs = 0;
  std::size_t left_out = 0;  // pairs with a side of more than kMaxRecordWords words: they keep
                             // their number but give no rules
};

// Called with the name of each of the kIndexSteps steps of the work when it begins.
using OnIndexStep = std::function<void(const char*)>;
constexpr int kIndexSteps = 4;

// Builds the index file of a word-aligned bitext. Target words are renumbered in byte order, so
// that comparing ids compares words and nothing depends on the order in which words came up.
IndexReport build_index(
    const Bitext& bitext, const std::string& path, unsigned threads,
    const OnIndexStep& on_step = [](const char*) {});

class GrammarIndex {
 public:
  // Checks everything in the file, in parallel.
  GrammarIndex(const std::string& path, unsigned threads);

  std::size_t size() const { return source_.sentences(); }
  const IndexedText& source() const { return source_; }
  const IndexedText& target() const { return target_; }
  const Lexicon& lexicon() const { return lexicon_; }
  const Vocab& source_vocab() const { return source_vocab_; }
  const Vocab& target_vocab() const { return target_vocab_; }
  const std::string& path() const { return file_.path(); }
  std::size_t bytes() const { return file_.bytes(); }

  // Address of the record of the sentence pair that a source position belongs to; the position must
  // hold a word.
  const std::byte* record_at(std::uint32_t position) const {
    return records_.data() + std::size_t{record_at_[position]} * 4;
  }
  // Both look-ups ahead of time, the second when the first has had time to arrive.
  void prefetch_place(std::uint32_t position) const { __builtin_prefetch(&record_at_[position]); }
  void prefetch_record(std::uint32_t position) const {
    for (int line = 0; line < 3; ++line) __builtin_prefetch(record_at(position) + 64 * line);
  }
  // Pairs that were left out are empty on both sides and have no record.
  bool has_record(std::size_t sentence) const { return !source_.sentence(sentence).empty(); }
  SentenceRecord record(std::size_t sentence) const {
    return SentenceRecord(record_at(source_.starts[sentence]));
  }

  std::size_t left_out() const;

 private:
  void check(unsigned threads) const;
  const char* sentence_problem(std::size_t sentence) const;

  SectionReader file_;
  Vocab source_vocab_, target_vocab_;
  IndexedText source_, target_;
  std::span<const std::byte> records_;
  std::span<const std::uint32_t>
      record_at_;  // per source token: place of its record in units of 4 bytes
  Lexicon lexicon_;
};

}  // namespace demotic
