#include "grammar/lexicon.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace demotic {

const char* Lexicon::problem() const {
  if (rows.size() < 2 || target_totals.empty()) return "the lexicon is empty";
  if (rows.front() != 0 || rows.back() != entries.size() ||
      !std::is_sorted(rows.begin(), rows.end()))
    return "the rows do not divide the lexicon";
  for (const auto& entry : entries)
    if (entry.target > target_null()) return "a word of the lexicon is outside the vocabulary";
  return nullptr;
}

LexiconBuffers count_lexicon(std::span<const AlignedPair> pairs, std::size_t source_vocab_size,
                             std::size_t target_vocab_size, unsigned threads) {
  const auto source_null = static_cast<WordId>(source_vocab_size),
             target_null = static_cast<WordId>(target_vocab_size);
  const auto for_each = [&](auto visit) {
    for (const auto& pair : pairs)
      for_each_lexical_link(pair.source.size(), pair.target.size(), pair.links,
                            [&](std::size_t i, std::size_t j) {
                              visit(i == kNullPosition ? source_null : pair.source[i],
                                    j == kNullPosition ? target_null : pair.target[j]);
                            });
  };
  LexiconBuffers lexicon;
  lexicon.target_totals.assign(target_vocab_size + 1, 0);

  // The links of each source word together, by counting; then each row is sorted on its own and
  // equal links are merged.
  std::vector<std::uint64_t> starts(source_vocab_size + 2, 0);
  for_each([&](WordId f, WordId e) {
    ++starts[f + 1];
    ++lexicon.target_totals[e];
  });
  for (std::size_t f = 0; f + 1 < starts.size(); ++f) starts[f + 1] += starts[f];
  std::vector<WordId> linked(starts.back());
  auto cursor = starts;
  for_each([&](WordId f, WordId e) { linked[cursor[f]++] = e; });

  lexicon.rows.assign(source_vocab_size + 2, 0);
  parallel_ranges(source_vocab_size + 1, 256, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      const auto row = linked.begin() + static_cast<std::ptrdiff_t>(starts[f]),
                 row_end = linked.begin() + static_cast<std::ptrdiff_t>(starts[f + 1]);
      std::sort(row, row_end);
      for (auto e = row; e != row_end; ++e) lexicon.rows[f + 1] += e == row || *e != *(e - 1);
    }
  });
  for (std::size_t f = 0; f + 1 < lexicon.rows.size(); ++f) lexicon.rows[f + 1] += lexicon.rows[f];
  lexicon.entries.resize(lexicon.rows.back());
  parallel_ranges(source_vocab_size + 1, 256, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      std::uint64_t place = lexicon.rows[f];
      for (std::uint64_t i = starts[f]; i < starts[f + 1]; ++i) {
        if (i == starts[f] || linked[i] != linked[i - 1]) lexicon.entries[place++] = {linked[i], 0};
        ++lexicon.entries[place - 1].count;
      }
    }
  });
  return lexicon;
}

}  // namespace demotic
