#include "grammar/longest_match.hpp"

#include <algorithm>

namespace demotic {
namespace {

// Suffixes that begin with as many of the words as possible, and with how many.
struct Descent {
  SuffixRange range;
  std::uint32_t depth = 0;
};

Descent descend(const IndexedText& text, std::span<const WordId> words) {
  Descent found;
  for (const WordId word : words) {
    if (word >= text.vocab_size()) break;
    const SuffixRange next =
        found.depth == 0 ? text.with_word(word) : text.extend(found.range, found.depth, word);
    if (next.empty()) break;
    found = {next, found.depth + 1};
  }
  return found;
}

std::uint32_t sentence_of(const IndexedText& text, std::uint32_t position) {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(text.starts, position) -
                                    text.starts.begin()) -
         1;
}

std::span<const std::uint32_t> positions(const IndexedText& text, SuffixRange range) {
  return text.suffixes.subspan(range.begin, range.size());
}

}  // namespace

Match longest_match(const IndexedText& text, std::span<const WordId> words) {
  Match best;
  SuffixRange where;
  for (std::size_t begin = 0; begin + best.length < words.size(); ++begin) {
    const Descent found = descend(text, words.subspan(begin));
    if (found.depth <= best.length) continue;
    best = {static_cast<std::uint32_t>(begin), found.depth, 0};
    where = found.range;
  }
  if (best.length > 0) best.sentence = sentence_of(text, std::ranges::min(positions(text, where)));
  return best;
}

std::vector<std::uint32_t> equal_sentences(const IndexedText& text, std::span<const WordId> words) {
  std::vector<std::uint32_t> sentences;
  const Descent found = descend(text, words);
  if (found.depth < words.size()) return sentences;
  for (const std::uint32_t position : positions(text, found.range)) {
    const std::uint32_t sentence = sentence_of(text, position);
    if (text.starts[sentence] == position && text.sentence(sentence).size() == words.size())
      sentences.push_back(sentence);
  }
  std::ranges::sort(sentences);
  return sentences;
}

}  // namespace demotic
