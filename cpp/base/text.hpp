// Lines and words of text that is already in memory. Views, no copies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// Where the word at `position` ends: at white space or at `end`. Bytes may be read up to
// `readable`, which is not before `end`: eight at a time, so that the length of a word is not
// guessed letter by letter.
inline const char* word_end(const char* position, const char* end, const char* readable) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  while (std::endian::native == std::endian::little && readable - position >= 8 && position < end) {
    std::uint64_t bytes;
    std::memcpy(&bytes, position, 8);
    // The lowest bit that is set belongs to the first byte up to ' '; those above it may be wrong.
    const std::uint64_t up_to_space = (bytes - 0x21 * kOnes) & ~bytes & 0x80 * kOnes;
    position += up_to_space == 0 ? 8 : std::countr_zero(up_to_space) / 8;
    if (up_to_space == 0) continue;
    if (position >= end || is_space(*position)) return std::min(position, end);
    ++position;  // other control characters belong to words
  }
  while (position < end && !is_space(*position)) ++position;
  return std::min(position, end);
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
