// Reading a model in ARPA format, whichever tool wrote it.
//
// Treatment of what tools do differently: a missing backoff is 0; -inf is -99; <UNK> is <unk>; a
// missing <unk> gets -100; an n-gram whose suffix was pruned away gets that suffix back, with the
// probability that backing off gives it (queries in any direction need it). Everything else that
// does not fit is an Error with file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lm/ngrams.hpp"

namespace demotic {

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
  // (context, word) -> place in the level; open addressing.
  class Table {
   public:
    static constexpr std::uint32_t kAbsent = ~0u;
    std::uint32_t find(std::uint32_t context, WordId word) const;
    void insert(std::uint32_t context, WordId word, std::uint32_t place);

   private:
    struct Slot {
      std::uint32_t context, word, place;
    };
    std::size_t slot_of(std::uint32_t context, WordId word) const;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
  };

  void line(std::string_view line);
  void header_line(std::string_view line);
  void begin_section(std::string_view line);
  void end_section();
  void ngram_line(std::string_view line);
  void add_unigram(std::string_view word, float prob, float backoff);
  void add_ngram(float prob, float backoff);
  std::uint32_t with_suffixes(unsigned order, std::uint32_t context, WordId word);
  std::uint32_t append(unsigned order, std::uint32_t context, WordId word, std::uint32_t suffix,
                       float prob, float backoff);
  float number(std::string_view field, const char* what) const;
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const;

  std::string file_;
  std::uint64_t line_ = 0;
  std::string rest_;  // an unfinished line
  Place place_ = Place::kBefore;
  unsigned section_ = 0;  // the order that is being read
  std::uint64_t read_ = 0;
  std::vector<std::uint64_t> announced_;
  bool seen_[3] = {};  // <unk>, <s>, </s>
  std::vector<std::string_view> fields_;
  std::vector<Table> tables_;  // by order, from 2
  Ngrams ngrams_;
};

}  // namespace demotic
