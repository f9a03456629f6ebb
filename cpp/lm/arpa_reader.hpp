// Reading a model in ARPA format, whichever tool wrote it.
//
// Treatment of what tools do differently: a missing backoff is 0; -inf is -99; <UNK> is <unk>; a
// missing <unk> gets -100; an n-gram whose suffix was pruned away gets that suffix back, with the
// probability that backing off gives it (queries in any direction need it). Everything else that
// does not fit is an Error with file and line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lm/ngram_table.hpp"
#include "lm/ngrams.hpp"
#include "lm/word_table.hpp"

namespace demotic {

inline constexpr const char* kDamagedArpa = "the file is damaged or not in ARPA format";

class ArpaReader {
 public:
  explicit ArpaReader(std::string file);  // its name, for errors

  // The text of the file in any number of parts, cut anywhere.
  void add(std::string_view text);
  // Checks that the file was complete.
  Ngrams finish();
  bool has_unknown() const { return seen_[0]; }  // false: the file had no <unk>

 private:
  enum class Place { kBefore, kHeader, kNgrams, kEnd };
  // An n-gram that was read and waits for its place among the others. Its fields are views of the
  // text that is being added.
  struct Waiting {
    std::uint64_t line;
    float prob, backoff;
    std::uint32_t context;  // the longest beginning that was found so far, or kAbsent
    std::uint64_t hash;     // of the look-up that comes next
  };

  void line(std::string_view line);
  void end_rest();
  void header_line(std::string_view line);
  void begin_section(std::string_view line);
  void end_section();
  void ngram_line(std::string_view line);
  void add_unigram(std::string_view word, float prob, float backoff);
  unsigned split(std::string_view line);
  void prepare_section();
  void add_waiting(float prob, float backoff);
  void link_waiting();
  void find_words();
  void find_contexts();
  void add_ngram(std::size_t index);
  std::uint32_t context_of(std::size_t index);
  std::uint32_t next_place(unsigned order) const;
  std::uint32_t with_suffixes(unsigned order, std::uint32_t context, WordId word);
  void append(unsigned order, WordId first, std::uint32_t context, std::uint32_t suffix, float prob,
              float backoff);
  float number(std::string_view field, const char* what);
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const;
  // The same in a line of n-grams: what is wrong in lines before it comes first.
  [[noreturn]] void refuse(const std::string& message, const std::string& hint);

  std::string_view* fields_of(std::size_t index) { return fields_.data() + index * (section_ + 2); }
  std::span<const std::string_view> words_of(std::size_t index) const {
    return {fields_.data() + index * (section_ + 2) + 1, section_};
  }
  WordId* ids_of(std::size_t index) { return ids_.data() + index * section_; }

  std::string file_;
  std::uint64_t line_ = 0;
  std::string rest_;  // an unfinished line
  Place place_ = Place::kBefore;
  unsigned section_ = 0;  // the order that is being read
  std::uint64_t read_ = 0;
  std::vector<std::uint64_t> announced_;
  bool seen_[3] = {};                     // <unk>, <s>, </s>
  const char* text_end_ = nullptr;        // of what is being added
  std::vector<Waiting> waiting_;          // of order section_, from 2
  std::vector<std::string_view> fields_;  // of each: probability, words, backoff
  std::vector<WordTable::Key> keys_;
  std::vector<WordId> ids_;  // of each: its words
  WordTable words_;
  std::vector<NgramTable> tables_;  // by order, from 2
  Ngrams ngrams_;
};

}  // namespace demotic
