// Word translation counts: how often source word f and target word e are linked, where a word
// without links counts as linked to NULL.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/bitext.hpp"

namespace demotic {

struct LexicalEntry {  // c(f, e) of a row f
  WordId target;
  std::uint32_t count;
  bool operator==(const LexicalEntry&) const = default;
};

// Rows by source word, the row of NULL last; within a row by target word, NULL (= target vocabulary
// size) last.
struct Lexicon {
  std::span<const std::uint64_t> rows;  // where each row begins; one more at the end
  std::span<const LexicalEntry> entries;
  std::span<const std::uint32_t> target_totals;  // c(e), NULL last

  WordId source_null() const { return static_cast<WordId>(rows.size() - 2); }
  WordId target_null() const { return static_cast<WordId>(target_totals.size() - 1); }
  std::span<const LexicalEntry> row(WordId source) const {
    return entries.subspan(rows[source], rows[source + 1] - rows[source]);
  }

  // A description of what contradicts itself, or nullptr.
  const char* problem() const;
};

struct LexiconBuffers {
  std::vector<std::uint64_t> rows;
  std::vector<LexicalEntry> entries;
  std::vector<std::uint32_t> target_totals;
  Lexicon view() const { return {rows, entries, target_totals}; }
};

// Calls visit(i, j) for every link of a pair, and for every word without links with kNullPosition
// on the other side.
constexpr std::size_t kNullPosition = static_cast<std::size_t>(-1);
template <class Links, class Visit>
void for_each_lexical_link(std::size_t source_length, std::size_t target_length, const Links& links,
                           Visit visit) {
  std::vector<bool> source_linked(source_length), target_linked(target_length);
  for (const auto link : links) {
    visit(std::size_t{link.source}, std::size_t{link.target});
    source_linked[link.source] = target_linked[link.target] = true;
  }
  for (std::size_t i = 0; i < source_length; ++i)
    if (!source_linked[i]) visit(i, kNullPosition);
  for (std::size_t j = 0; j < target_length; ++j)
    if (!target_linked[j]) visit(kNullPosition, j);
}

struct AlignedPair {
  std::span<const WordId> source, target;
  std::span<const Link> links;
};

LexiconBuffers count_lexicon(std::span<const AlignedPair> pairs, std::size_t source_vocab_size,
                             std::size_t target_vocab_size, unsigned threads);

}  // namespace demotic
