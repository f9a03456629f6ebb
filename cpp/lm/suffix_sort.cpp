#include "lm/suffix_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "lm/words.hpp"

namespace demotic {

SuffixSorter::SuffixSorter(std::span<const WordId> text, unsigned order, std::size_t vocab_size)
    : text_(text),
      order_(order),
      bits_(std::max(1, static_cast<int>(std::bit_width(vocab_size - 1)))),
      words_per_key_(64 / bits_),
      starts_(vocab_size + 1) {
  for (const WordId word : text) ++starts_[word + 1];
  starts_[kBegin + 1] = 0;  // no n-gram ends in <s>
  for (std::size_t word = 0; word < vocab_size; ++word) starts_[word + 1] += starts_[word];
  positions_.resize(starts_.back());
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != kBegin) positions_[next[text[i]]++] = static_cast<std::uint32_t>(i);
}

unsigned SuffixSorter::ngram(std::uint32_t position, std::span<WordId> reversed) const {
  unsigned length = 0;
  do {
    reversed[length++] = text_[position];
  } while (length < order_ && text_[position--] != kBegin);
  return length;
}

// Words `depth` and more to the left of the position. What would stand before <s> counts as 0; as
// <s> itself is in the key, that cannot be mistaken for another n-gram.
std::uint64_t SuffixSorter::key(std::uint32_t position, unsigned depth) const {
  std::uint64_t key = 0;
  const unsigned end = std::min(order_, depth + words_per_key_);
  bool begun = false;
  for (unsigned distance = depth; distance < end; ++distance) {
    const WordId word = begun ? 0 : text_[position - distance];
    key = (key << bits_) | word;
    begun = begun || word == kBegin;
  }
  return key;
}

void SuffixSorter::sort_from(std::span<std::uint32_t> positions, unsigned depth) const {
  if (positions.size() < 2 || depth >= order_) return;
  std::vector<Entry> entries(positions.size()), scratch;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    prefetch(positions, i);
    entries[i] = {key(positions[i], depth), positions[i]};
  }
  sort_entries(entries, scratch);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = entries[i].position;
  // Where the key did not reach far enough, n-grams with the same key are sorted by what lies
  // beyond it.
  const unsigned beyond = depth + words_per_key_;
  if (beyond >= order_) return;
  const auto reaches_begin = [&](std::uint32_t position) {
    for (unsigned distance = depth; distance < beyond; ++distance)
      if (text_[position - distance] == kBegin) return true;
    return false;
  };
  for (std::size_t begin = 0, end; begin < entries.size(); begin = end) {
    for (end = begin + 1; end < entries.size() && entries[end].key == entries[begin].key;) ++end;
    if (end - begin > 1 && !reaches_begin(positions[begin]))
      sort_from(positions.subspan(begin, end - begin), beyond);
  }
}

// Radix sort, byte by byte from the lowest; bytes that are the same everywhere cost nothing.
void SuffixSorter::sort_entries(std::vector<Entry>& entries, std::vector<Entry>& scratch) {
  constexpr std::size_t kSmall = 512;
  if (entries.size() < kSmall) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.key < b.key; });
    return;
  }
  std::array<std::array<std::uint32_t, 256>, 8> counts{};
  for (const Entry& entry : entries)
    for (unsigned byte = 0; byte < 8; ++byte) ++counts[byte][(entry.key >> (8 * byte)) & 255];
  scratch.resize(entries.size());
  for (unsigned byte = 0; byte < 8; ++byte) {
    auto& places = counts[byte];
    if (places[(entries.front().key >> (8 * byte)) & 255] == entries.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& place : places) sum += std::exchange(place, sum);
    for (const Entry& entry : entries) scratch[places[(entry.key >> (8 * byte)) & 255]++] = entry;
    entries.swap(scratch);
  }
}

}  // namespace demotic
