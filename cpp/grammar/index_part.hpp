// The sentence pairs of an index file, or those that were added to it: both sides with suffix
// arrays, one record per pair, lexical counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/prefetch.hpp"
#include "grammar/indexed_text.hpp"
#include "grammar/lexicon.hpp"
#include "grammar/sentence_record.hpp"

namespace demotic {

constexpr std::uint32_t kNoRecord = 0xffffffff;

// Arrays that belong to somebody else (the index file, or IndexPartBuffers).
struct IndexPart {
  IndexedText source, target;
  std::span<const std::byte> records;
  std::span<const std::uint32_t>
      places;  // per source token: where its record begins, in units of 4 bytes
  Lexicon lexicon;

  std::size_t size() const { return source.sentences(); }
  // Address of the record of the sentence pair that a source position belongs to; the position must
  // hold a word.
  const std::byte* record_at(std::uint32_t position) const {
    return records.data() + std::size_t{places[position]} * 4;
  }
  // Both look-ups ahead of time, the second when the first has had time to arrive.
  void prefetch_place(std::uint32_t position) const { prefetch(&places[position]); }
  void prefetch_record(std::uint32_t position) const {
    for (int line = 0; line < 4; ++line) prefetch(record_at(position) + 64 * line);
  }
  // Pairs that were left out are empty on both sides and have no record.
  bool has_record(std::size_t sentence) const { return !source.sentence(sentence).empty(); }
  SentenceRecord record(std::size_t sentence) const {
    return SentenceRecord(record_at(source.starts[sentence]));
  }
  std::size_t left_out() const;

  // A description of what contradicts itself, or nullptr. After this every use is within bounds.
  const char* problem(unsigned threads) const;

 private:
  const char* sentence_problem(std::size_t sentence) const;
};

struct RecordBuffers {
  std::vector<std::byte> records;
  std::vector<std::uint32_t> places;

  // The records of pairs, of which the empty ones have none. `starts`: of the source sentences in
  // the indexed text.
  static RecordBuffers build(std::span<const AlignedPair> pairs,
                             std::span<const std::uint32_t> starts, unsigned threads);
};

struct IndexPartBuffers {
  IndexedTextBuffers source, target;
  RecordBuffers records;
  LexiconBuffers lexicon;

  static IndexPartBuffers build(std::span<const AlignedPair> pairs, std::size_t source_vocab_size,
                                std::size_t target_vocab_size);
  IndexPart view() const {
    return {source.view(), target.view(), records.records, records.places, lexicon.view()};
  }
};

// One side of pairs.
std::vector<std::span<const WordId>> side_of(std::span<const AlignedPair> pairs,
                                             std::span<const WordId> AlignedPair::* side);

}  // namespace demotic
