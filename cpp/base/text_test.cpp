#include "base/text.hpp"

#include <random>
#include <string>
#include <vector>

#include "base/test.hpp"

namespace demotic::text_test {

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> result;
  for_each_word(line, [&](std::string_view word) { result.emplace_back(word); });
  return result;
}

TEST("words are what lies between white space of ASCII") {
  CHECK(words("").empty());
  CHECK(words(" \t\v\f\r ").empty());
  CHECK((words("a  b\tc ") == std::vector<std::string>{"a", "b", "c"}));
  CHECK((words("a\u00a0b \u2028") == std::vector<std::string>{"a\u00a0b", "\u2028"}));
}

TEST("a word ends where a search byte by byte ends, whatever lies behind its line") {
  const std::string alphabet = std::string("ab \t\n\r\x01\x1f\x21\x7f\x80\xa0\xff", 13) + '\0';
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    std::string text(random() % 30, '\0');
    for (char& c : text) c = random() % 2 == 0 ? 'x' : alphabet[random() % alphabet.size()];
    const std::size_t begin = random() % (text.size() + 1);
    const std::size_t end = begin + random() % (text.size() - begin + 1);
    std::size_t expected = begin;
    while (expected < end && !is_space(text[expected])) ++expected;
    const char* const data = text.data();
    CHECK(word_end(data + begin, data + end, data + text.size()) == data + expected);
    CHECK(word_end(data + begin, data + end, data + end) == data + expected);
  }
}

TEST("tokens are what lies between spaces") {
  std::vector<std::string> tokens;
  for_each_token("  a\tb  c\v d ", [&](std::string_view word) { tokens.emplace_back(word); });
  CHECK((tokens == std::vector<std::string>{"a\tb", "c\v", "d"}));
  for_each_token("  ", [](std::string_view) { CHECK(false); });
}

TEST("lines end with \\n or \\r\\n, the last one with either or nothing") {
  std::string_view block = "a\r\n\nb\rc\nd";
  for (const std::string_view expected : {"a", "", "b\rc", "d"})
    CHECK(next_line(block) == expected);
  CHECK(block.empty());
}

}  // namespace demotic::text_test
