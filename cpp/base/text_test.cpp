#include "base/text.hpp"

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
