#include "evaluate/references.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "evaluate/match_counter.hpp"

namespace demotic {
namespace {

// Numbers the words of all references in the order in which they come.
template <class Numbers>
std::vector<std::vector<std::uint32_t>> number_words(
    std::vector<std::vector<std::string>> references, Numbers& numbers) {
  if (references.empty())
    throw Error("a sentence has no reference", "give at least one reference for every sentence");
  std::vector<std::vector<std::uint32_t>> sentences;
  for (auto& reference : references) {
    auto& sentence = sentences.emplace_back();
    for (std::string& word : reference)
      sentence.push_back(
          numbers.try_emplace(std::move(word), static_cast<std::uint32_t>(numbers.size() + 1))
              .first->second);
  }
  return sentences;
}

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                          std::vector<std::size_t>& row) {
  row.resize(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t substituted = diagonal + (from[i] != to[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
    }
  }
  return row[to.size()];
}

double word_error_rate(std::span<const std::vector<std::uint32_t>> references,
                       std::span<const std::uint32_t> hypothesis, std::vector<std::size_t>& row) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& reference : references)
    best = std::min(best, static_cast<double>(edit_distance(hypothesis, reference, row)) /
                              static_cast<double>(std::max<std::size_t>(reference.size(), 1)));
  return best;
}

}  // namespace

std::size_t References::TextHash::operator()(std::string_view text) const {
  return hash_bytes(text);
}

References::References(std::vector<std::vector<std::string>> references)
    : sentences_(number_words(std::move(references), words_)), ngrams_(sentences_) {}

std::uint32_t References::id(std::string_view word) const {
  const auto found = words_.find(word);
  return found == words_.end() ? kUnknown : found->second;
}

std::vector<std::uint32_t> References::ids(std::span<const std::string> words) const {
  std::vector<std::uint32_t> ids;
  ids.reserve(words.size());
  for (const std::string& word : words) ids.push_back(id(word));
  return ids;
}

std::vector<std::string_view> References::texts() const {
  std::vector<std::string_view> texts(words_.size() + 1);
  for (const auto& [text, number] : words_) texts[number] = text;
  return texts;
}

std::int32_t References::closest_length(std::size_t hypothesis_length) const {
  const auto wanted = static_cast<std::int64_t>(hypothesis_length);
  const auto rank = [&](const auto& sentence) {
    const auto length = static_cast<std::int64_t>(sentence.size());
    return std::pair(std::abs(length - wanted), length);
  };
  return static_cast<std::int32_t>(std::ranges::min_element(sentences_, {}, rank)->size());
}

BleuStatistics References::statistics(std::span<const std::uint32_t> hypothesis) const {
  return MatchCounter(*this)(hypothesis);
}

double References::wer(std::span<const std::uint32_t> hypothesis) const {
  std::vector<std::size_t> row;
  return word_error_rate(sentences_, hypothesis, row);
}

std::vector<double> References::wer(const KBestList& list) const {
  const std::vector<std::uint32_t> known = ids(list.vocabulary);
  std::vector<std::uint32_t> words(list.words.size());
  std::ranges::transform(list.words, words.begin(),
                         [&](std::uint32_t word) { return known[word]; });
  std::vector<double> all;
  all.reserve(list.size());
  std::vector<std::size_t> row;
  for (std::size_t i = 0; i < list.size(); ++i)
    all.push_back(
        word_error_rate(sentences_,
                        std::span(words).subspan(list.word_begins[i],
                                                 list.word_begins[i + 1] - list.word_begins[i]),
                        row));
  return all;
}

}  // namespace demotic
