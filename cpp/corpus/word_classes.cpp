#include "corpus/word_classes.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/text.hpp"
#include "corpus/exchange.hpp"

namespace demotic {
namespace {

constexpr const char* kShapes[] = {"num", "sym", "unk"};  // behind the classes

std::size_t shape_of(std::string_view word) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) {  // beyond ASCII, most are
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
  };
  if (std::ranges::any_of(word, is_digit)) return 0;
  return std::ranges::any_of(word, is_letter) ? 2 : 1;
}

// A whole number from 1 to `most`, or 0.
unsigned class_number(std::string_view text, unsigned most) {
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end && number <= most ? number : 0;
}

}  // namespace

WordClasses::WordClasses(const Vocab& vocab, const std::vector<WordId>& order,
                         const std::vector<std::uint16_t>& class_of) {
  for (const WordId word : order) {
    words_.add(vocab.word(word));
    class_of_.push_back(class_of[word]);
    classes_ = std::max<std::size_t>(classes_, class_of[word]);
  }
  if (const auto empty = first_empty())
    throw Error("word class " + std::to_string(empty) + " has no words");
}

WordClasses WordClasses::from_text(std::string_view text, const std::string& file, unsigned most) {
  const std::string hint =
      "expected  word<TAB>number of its class; make the classes anew with "
      "`demotic classes make`";
  WordClasses result;
  most = std::min(most, kMostClasses);
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const auto fail = [&](const std::string& what) { throw Error(what, file, line, hint); };
    const std::string_view all = next_line(text);
    const std::size_t tab = all.rfind('\t');  // a word may have one, too
    if (tab == all.npos || tab == 0) fail("a line must have a word, a tab and a class");
    const std::string_view word = all.substr(0, tab);
    const unsigned number = class_number(all.substr(tab + 1), most);
    if (number == 0)
      fail("'" + std::string(all.substr(tab + 1)) + "' is not the number of a class from 1 to " +
           std::to_string(most));
    if (result.words_.add(word) < result.class_of_.size())
      fail("the word '" + std::string(word) + "' comes twice");
    result.class_of_.push_back(static_cast<std::uint16_t>(number));
    result.classes_ = std::max<std::size_t>(result.classes_, number);
  }
  if (const auto empty = result.first_empty())
    throw Error("word class " + std::to_string(empty) + " has no words", file, 0, hint);
  if (result.classes_ < 2) throw Error("fewer than two word classes", file, 0, hint);
  return result;
}

std::uint16_t WordClasses::first_empty() const {
  std::vector<bool> has_words(classes_ + 1);
  for (const std::uint16_t number : class_of_) has_words[number] = true;
  for (std::size_t i = 1; i <= classes_; ++i)
    if (!has_words[i]) return static_cast<std::uint16_t>(i);
  return 0;
}

std::string WordClasses::to_text() const {
  std::string text;
  for (std::uint16_t number = 1; number <= classes_; ++number)
    for (const std::string_view word : members(number))
      text.append(word).append(1, '\t').append(std::to_string(number)).append(1, '\n');
  return text;
}

std::uint16_t WordClasses::of(std::string_view word) const {
  if (const auto id = words_.find(word)) return class_of_[*id];
  return static_cast<std::uint16_t>(classes_ + 1 + shape_of(word));
}

std::string WordClasses::name(std::uint16_t number) const {
  return number <= classes_ ? std::to_string(number) : kShapes[number - classes_ - 1];
}

std::vector<std::string_view> WordClasses::members(std::uint16_t number) const {
  std::vector<std::string_view> found;
  for (WordId id = 0; id < words_.size(); ++id)
    if (class_of_[id] == number) found.push_back(words_.word(id));
  return found;
}

}  // namespace demotic
