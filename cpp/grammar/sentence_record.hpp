// What rule extraction needs to know of one sentence pair, in one contiguous block of bytes: an
// occurrence costs one place in memory, which can be fetched ahead.
//
//   RecordHeader, consistent spans by first and by last word (u16 each), lowest and highest linked
//   position of every source word and of every target word (u8; kUnaligned: none), links (u8
//   source, u8 target), padding to 4, target words (u32)
//
// In this order because most occurrences fail at a gap that is not a phrase: they need no more than
// the beginning.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/prefetch.hpp"
#include "corpus/bitext.hpp"

namespace demotic {

constexpr int kMaxRecordWords = 254;  // longest side of a pair: positions are bytes
constexpr int kMaxSpan = 16;          // longest span of a rule or gap: a bit per length
constexpr std::uint8_t kUnaligned = 255;

// Half-open span of positions in a sentence; empty when nothing is linked.
struct Span {
  int begin = kUnaligned, end = 0;
  bool empty() const { return begin >= end; }
  int size() const { return end - begin; }
  bool contains(Span other) const { return begin <= other.begin && other.end <= end; }
  Span hull(Span other) const { return {std::min(begin, other.begin), std::max(end, other.end)}; }
  bool operator==(const Span&) const = default;
};

struct RecordHeader {
  std::uint32_t sentence;  // number of the pair in the corpus
  std::uint32_t start;     // position of its first source word in the indexed text
  std::uint8_t source_length, target_length;
  std::uint16_t links;
};

struct RecordLink {
  std::uint8_t source, target;
  auto operator<=>(const RecordLink&) const = default;
};

class SentenceRecord {
 public:
  explicit SentenceRecord(const std::byte* bytes)
      : header_(reinterpret_cast<const RecordHeader*>(bytes)) {
    const int source = header_->source_length, target = header_->target_length;
    spans_from_ = reinterpret_cast<const std::uint16_t*>(bytes + sizeof(RecordHeader));
    spans_to_ = spans_from_ + source;
    source_low_ = reinterpret_cast<const std::uint8_t*>(spans_to_ + source);
    source_high_ = source_low_ + source;
    target_low_ = source_high_ + source;
    target_high_ = target_low_ + target;
    links_ = reinterpret_cast<const RecordLink*>(target_high_ + target);
    target_words_ = reinterpret_cast<const WordId*>(
        bytes + words_offset(header_->source_length, header_->target_length, header_->links));
  }

  static std::size_t bytes(std::size_t source_length, std::size_t target_length,
                           std::size_t links) {
    return words_offset(source_length, target_length, links) + sizeof(WordId) * target_length;
  }
  std::size_t bytes() const {
    return bytes(header_->source_length, header_->target_length, header_->links);
  }

  std::uint32_t sentence() const { return header_->sentence; }
  std::uint32_t start() const { return header_->start; }
  int source_length() const { return header_->source_length; }
  int target_length() const { return header_->target_length; }
  WordId target_word(int j) const { return target_words_[j]; }
  std::span<const RecordLink> links() const { return {links_, header_->links}; }
  bool aligned(int i) const { return source_low_[i] != kUnaligned; }
  // The target words stand last; where, the header says.
  void prefetch_words() const {
    for (int j = 0; j < target_length(); j += 16) prefetch(target_words_ + j);
  }

  // The smallest span of target positions that holds all links of these source words, and the other
  // way round.
  Span to_target(Span source) const { return project(source, source_low_, source_high_); }
  Span to_source(Span target) const { return project(target, target_low_, target_high_); }

  // Bit n - 1: the n words from i on (up to i) are a phrase that is tight (its first and last word
  // are linked) and consistent (no word of its target span is linked to the outside), with a target
  // span of at most kMaxSpan words.
  std::uint16_t spans_from(int i) const { return spans_from_[i]; }
  std::uint16_t spans_to(int i) const { return spans_to_[i]; }
  bool is_phrase(Span source) const {
    return source.size() <= kMaxSpan && (spans_from_[source.begin] >> (source.size() - 1) & 1);
  }

  // Calls visit(target position) for every link of source word i.
  template <class Visit>
  void for_each_link(int i, Visit visit) const {
    if (!aligned(i)) return;
    if (source_low_[i] == source_high_[i]) return visit(int{source_low_[i]});
    const auto all = links();
    for (auto link =
             std::lower_bound(all.begin(), all.end(), RecordLink{static_cast<std::uint8_t>(i), 0});
         link != all.end() && link->source == i; ++link)
      visit(int{link->target});
  }

 private:
  static std::size_t words_offset(std::size_t source_length, std::size_t target_length,
                                  std::size_t links) {
    return (sizeof(RecordHeader) + 4 * source_length + 2 * (source_length + target_length) +
            sizeof(RecordLink) * links + 3) /
           4 * 4;
  }
  static Span project(Span span, const std::uint8_t* low, const std::uint8_t* high) {
    // Without a branch for words that are not linked: as a lowest position kUnaligned is beyond all
    // others, and one more than kUnaligned is 0 in a byte.
    std::uint8_t begin = kUnaligned, end = 0;
    for (int i = span.begin; i < span.end; ++i) {
      begin = std::min(begin, low[i]);
      end = std::max(end, static_cast<std::uint8_t>(high[i] + 1));
    }
    return {begin, end};
  }

  const RecordHeader* header_;
  const WordId* target_words_;
  const std::uint16_t *spans_from_, *spans_to_;
  const std::uint8_t *source_low_, *source_high_, *target_low_, *target_high_;
  const RecordLink* links_;
};

// Fills `bytes` (SentenceRecord::bytes(...) of them). Both sides have 1 to kMaxRecordWords words;
// links are sorted and in range.
void write_record(std::span<std::byte> bytes, std::uint32_t sentence, std::uint32_t start,
                  std::size_t source_length, std::span<const WordId> target,
                  std::span<const Link> links);

// A description of what contradicts itself in the bytes at hand, or nullptr. After this every use
// of the record is within bounds.
const char* record_problem(std::span<const std::byte> bytes, std::size_t target_vocab_size);

}  // namespace demotic
