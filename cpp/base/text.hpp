// Lines and words of text that is already in memory. Views, no copies.
#pragma once

#include <cstddef>
#include <string_view>

namespace demotic {

// The white space of ASCII. Other spaces of Unicode belong to words: tokenisers keep them on
// purpose.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Takes the first line off a block of text; without its line end ("\n" or "\r\n").
inline std::string_view next_line(std::string_view& block) {
  const std::size_t end = block.find('\n');
  std::string_view line = block.substr(0, end);
  block.remove_prefix(end == std::string_view::npos ? block.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// Calls visit(word) for each word of a line; words are separated by white space.
template <class Visit>
void for_each_word(std::string_view line, Visit visit) {
  const char* position = line.data();
  const char* const end = position + line.size();
  while (true) {
    while (position != end && is_space(*position)) ++position;
    if (position == end) return;
    const char* const begin = position;
    while (position != end && !is_space(*position)) ++position;
    visit(std::string_view(begin, static_cast<std::size_t>(position - begin)));
  }
}

// The same for tokenised text, where only the space separates: a tokeniser may have left other
// white space inside a word.
template <class Visit>
void for_each_token(std::string_view line, Visit visit) {
  for (std::size_t begin = line.find_first_not_of(' '); begin != std::string_view::npos;) {
    const std::size_t end = line.find(' ', begin);
    visit(line.substr(begin, end - begin));
    begin = line.find_first_not_of(' ', end);
  }
}

}  // namespace demotic
