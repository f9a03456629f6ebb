#include "corpus/word_bigrams.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"

namespace demotic {

WordBigrams::WordBigrams(std::span<const std::uint32_t> tokens, std::size_t words)
    : counts_(words) {
  if (!tokens.empty() && tokens.front() == 0) tokens = tokens.subspan(1);
  // What follows each word, word by word: a counting sort by the first word of each bigram.
  std::vector<std::uint64_t> places(words + 1);
  std::uint32_t before = 0;
  for (const std::uint32_t token : tokens) {
    if (token >= words)
      throw Error("word " + std::to_string(token) + " of a text with " + std::to_string(words) +
                  " words");
    ++counts_[token];
    ++places[before + 1];
    before = token;
  }
  if (before != 0) throw Error("a text must end with a sentence boundary");
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<std::uint32_t> followers(tokens.size());
  for (const std::uint32_t token : tokens) {
    followers[places[before]++] = token;
    before = token;
  }
  next_.starts = {0};
  std::size_t begin = 0;
  for (std::size_t word = 0; word < words; ++word) {
    const std::size_t end = places[word];
    std::sort(followers.begin() + static_cast<std::ptrdiff_t>(begin),
              followers.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = begin; i < end; ++i)
      if (i > begin && followers[i] == followers[i - 1])
        ++next_.values.back().count;
      else
        next_.values.push_back({followers[i], 1});
    next_.starts.push_back(next_.values.size());
    begin = end;
  }
  before_ = transposed(next_);
}

WordBigrams::Lists WordBigrams::transposed(const Lists& lists) {
  Lists result;
  const auto words = static_cast<std::uint32_t>(lists.starts.size() - 1);
  result.starts.assign(words + 1, 0);
  for (const WordCount& each : lists.values) ++result.starts[each.word + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  result.values.resize(lists.values.size());
  std::vector<std::uint64_t> places = result.starts;
  for (std::uint32_t word = 0; word < words; ++word)
    for (const WordCount& each : lists[word])
      result.values[places[each.word]++] = {word, each.count};
  return result;
}

}  // namespace demotic
