#include "grammar/indexed_text.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "grammar/suffix_array.hpp"

namespace demotic {

SuffixRange IndexedText::extend(SuffixRange range, std::uint32_t depth, WordId word) const {
  // A suffix shorter than its range promises (damaged order) compares as the boundary, never beyond
  // the text.
  const auto token_at = [&](std::uint32_t suffix) {
    const std::size_t position = std::size_t{suffix} + depth;
    return position < tokens.size() ? tokens[position] : kBoundary;
  };
  const auto begin = suffixes.begin() + range.begin, end = suffixes.begin() + range.end;
  const Token token = token_of(word);
  const auto low =
      std::partition_point(begin, end, [&](auto suffix) { return token_at(suffix) < token; });
  const auto high =
      std::partition_point(low, end, [&](auto suffix) { return token_at(suffix) == token; });
  return {static_cast<std::uint32_t>(low - suffixes.begin()),
          static_cast<std::uint32_t>(high - suffixes.begin())};
}

std::uint32_t IndexedText::place_of(SuffixRange range, std::uint32_t position) const {
  const auto begin = suffixes.begin() + range.begin, end = suffixes.begin() + range.end;
  const auto found = std::partition_point(begin, end, [&](auto suffix) {
    return suffix != position &&  // which would be compared to the end of the text
           std::ranges::lexicographical_compare(tokens.subspan(suffix), tokens.subspan(position));
  });
  return found != end && *found == position ? static_cast<std::uint32_t>(found - suffixes.begin())
                                            : range.end;
}

const char* IndexedText::problem() const {
  if (starts.empty() || first.empty()) return "the table of sentences or words is empty";
  if (starts.front() != 1 || starts.back() != tokens.size())
    return "the sentences do not cover the text";
  if (tokens.front() != kBoundary) return "the text does not begin with a boundary";
  for (std::size_t i = 0; i < sentences(); ++i) {
    if (starts[i + 1] <= starts[i] || starts[i + 1] > tokens.size())
      return "a sentence ends before it begins";
    if (tokens[starts[i + 1] - 1] != kBoundary) return "a sentence does not end with a boundary";
    for (const Token token : sentence(i))
      if (token == kBoundary || token > vocab_size()) return "a word is outside the vocabulary";
  }
  if (first.front() != 0 || first.back() != suffixes.size() ||
      !std::is_sorted(first.begin(), first.end()))
    return "the words do not divide the suffix array";
  if (suffixes.size() + sentences() + 1 != tokens.size())
    return "the suffix array has another length than the text";
  for (std::size_t word = 0; word < vocab_size(); ++word)
    for (std::uint32_t i = first[word]; i < first[word + 1]; ++i)
      if (suffixes[i] >= tokens.size() ||
          tokens[suffixes[i]] != token_of(static_cast<WordId>(word)))
        return "a suffix stands under the wrong word";
  return nullptr;
}

IndexedTextBuffers IndexedTextBuffers::build(const std::vector<std::span<const WordId>>& sentences,
                                             std::size_t vocab_size) {
  IndexedTextBuffers text;
  std::size_t words = 0;
  for (const auto& sentence : sentences) words += sentence.size();
  text.tokens.reserve(words + sentences.size() + 1);
  text.starts.reserve(sentences.size() + 1);
  text.first.assign(vocab_size + 1, 0);
  text.tokens.push_back(kBoundary);
  for (const auto& sentence : sentences) {
    text.starts.push_back(static_cast<std::uint32_t>(text.tokens.size()));
    for (const WordId word : sentence) {
      text.tokens.push_back(token_of(word));
      ++text.first[word + 1];
    }
    text.tokens.push_back(kBoundary);
  }
  text.starts.push_back(static_cast<std::uint32_t>(text.tokens.size()));
  for (std::size_t word = 0; word < vocab_size; ++word) text.first[word + 1] += text.first[word];
  text.suffixes = suffix_array(text.tokens, static_cast<std::uint32_t>(vocab_size + 1));
  text.suffixes.erase(text.suffixes.begin(),
                      text.suffixes.end() -
                          static_cast<std::ptrdiff_t>(words));  // no phrase begins with a boundary
  return text;
}

}  // namespace demotic
