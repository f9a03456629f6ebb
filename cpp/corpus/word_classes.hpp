// Which class each word of a language belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/vocab.hpp"

namespace demotic {

// Classes are numbered from 1. A word that is in none of them has a class by its shape: `num` with
// a digit, `sym` without a letter, else `unk`. Made once, read by any number of threads.
class WordClasses {
 public:
  // Words in the order in which they are listed, and their classes. Throws Error if a class up to
  // the highest has no word.
  WordClasses(const Vocab& vocab, const std::vector<WordId>& order,
              const std::vector<std::uint16_t>& class_of);
  // Lines `word<TAB>class`. Throws Error with the line for what is no such line, a word that comes
  // twice, or a class above `most`; also if a class below the highest has no word, or if there are
  // fewer than two. `file` is for errors.
  static WordClasses from_text(std::string_view text, const std::string& file, unsigned most);
  // The same lines by class, the words of a class in their order.
  std::string to_text() const;

  std::size_t size() const { return classes_; }  // classes without those of other words
  std::size_t words() const { return words_.size(); }
  // From 1; above size() for a word that is in none.
  std::uint16_t of(std::string_view word) const;
  bool knows(std::string_view word) const { return words_.find(word).has_value(); }
  std::string name(std::uint16_t number) const;  // "12", "unk"; for numbers that `of` returns
  std::uint16_t numbers() const { return static_cast<std::uint16_t>(classes_ + 3); }
  std::vector<std::string_view> members(std::uint16_t number) const;  // in their order

 private:
  WordClasses() = default;
  std::uint16_t first_empty() const;  // class, or 0

  Vocab words_;
  std::vector<std::uint16_t> class_of_;  // by word
  std::size_t classes_ = 0;
};

}  // namespace demotic
