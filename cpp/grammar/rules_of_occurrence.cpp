#include "grammar/rules_of_occurrence.hpp"

#include <bit>

namespace demotic {

std::span<const FoundRule> RuleFinder::find(const SentenceRecord& record,
                                            const Occurrence& occurrence) {
  found_size_ = 0;
  Phrase phrase;
  if (locate_chunks(record, occurrence) && inner_gaps(record, phrase) && any_aligned(record) &&
      make_consistent(record, phrase)) {
    // An unlinked word at an end without nonterminal would not be tight; the extended rules below
    // may still be.
    const bool tight = record.aligned(phrase.source.begin) && record.aligned(phrase.source.end - 1);
    if (tight) emit(record, phrase);
    if (can_grow(phrase, 1)) {
      extend_right(record, phrase);
      extend_left(record, phrase);
      if (can_grow(phrase, 2)) extend_both(record, phrase);
    }
  }
  return {found_.data(), found_size_};
}

// The chunks' places in the sentence. Between two of them there must be a phrase of its own.
bool RuleFinder::locate_chunks(const SentenceRecord& record, const Occurrence& occurrence) {
  const int begin = static_cast<int>(occurrence.position - record.start());
  const std::array<int, 3> offsets{0, occurrence.second, occurrence.third};
  for (std::size_t c = 0; c < static_cast<std::size_t>(shape_.chunks); ++c) {
    chunks_[c] = {begin + offsets[c], begin + offsets[c] + shape_.lengths[c]};
    if (chunks_[c].end > record.source_length()) return false;  // only in a damaged suffix array
    if (c > 0 && !record.is_phrase({chunks_[c - 1].end, chunks_[c].begin})) return false;
  }
  return true;
}

bool RuleFinder::inner_gaps(const SentenceRecord& record, Phrase& phrase) const {
  const auto last = static_cast<std::size_t>(shape_.chunks - 1);
  phrase.source = {chunks_[0].begin, chunks_[last].end};
  for (std::size_t c = 0; c < last; ++c)
    if (!gap_at(record, {chunks_[c].end, chunks_[c + 1].begin},
                phrase.gap[static_cast<std::size_t>(phrase.gaps++)]))
      return false;
  return true;
}

// At least one word of the rule must be linked.
bool RuleFinder::any_aligned(const SentenceRecord& record) const {
  for (std::size_t c = 0; c < static_cast<std::size_t>(shape_.chunks); ++c)
    for (int i = chunks_[c].begin; i < chunks_[c].end; ++i)
      if (record.aligned(i)) return true;
  return false;
}

bool RuleFinder::gap_at(const SentenceRecord& record, Span source, PhraseGap& gap) const {
  if (source.size() < options_.min_gap || !record.is_phrase(source)) return false;
  gap = {source, record.to_target(source)};
  return !gap.target.empty() && gap.target.size() <= options_.max_span;
}

// If target words of the phrase are linked to source words outside, those must fit into
// nonterminals at the ends, without the target span growing.
bool RuleFinder::make_consistent(const SentenceRecord& record, Phrase& phrase) const {
  phrase.target = record.to_target(phrase.source);
  if (phrase.target.empty() || phrase.target.size() > options_.max_span) return false;
  if (record.is_phrase(phrase.source)) return true;
  const Span base = phrase.source, back = base.hull(record.to_source(phrase.target));
  if (back == base) return true;
  if (!can_grow(phrase, (back.begin < base.begin) + (back.end > base.end)) ||
      back.size() > options_.max_span)
    return false;
  if (record.to_target(back) != phrase.target) return false;
  return (back.begin == base.begin || add_left(record, phrase, back.begin)) &&
         (back.end == base.end || add_right(record, phrase, back.end));
}

// Room for that many more nonterminals?
bool RuleFinder::can_grow(const Phrase& phrase, int nonterminals) const {
  const int at_ends = phrase.ends.left + phrase.ends.right;
  return phrase.gaps + nonterminals <= options_.max_nonterminals &&
         shape_.symbols() + at_ends + nonterminals <= options_.max_symbols &&
         phrase.source.size() + nonterminals * options_.min_gap <= options_.max_span;
}

bool RuleFinder::add_left(const SentenceRecord& record, Phrase& phrase, int begin) const {
  phrase.gap[1] = phrase.gap[0];  // gaps stay in the order of the source side
  if (!gap_at(record, {begin, phrase.source.begin}, phrase.gap[0])) return false;
  ++phrase.gaps;
  phrase.ends.left = true;
  phrase.source.begin = begin;
  phrase.target = phrase.target.hull(phrase.gap[0].target);
  return phrase.target.size() <= options_.max_span;
}

bool RuleFinder::add_right(const SentenceRecord& record, Phrase& phrase, int end) const {
  PhraseGap& gap = phrase.gap[static_cast<std::size_t>(phrase.gaps)];
  if (!gap_at(record, {phrase.source.end, end}, gap)) return false;
  ++phrase.gaps;
  phrase.ends.right = true;
  phrase.source.end = end;
  phrase.target = phrase.target.hull(gap.target);
  return phrase.target.size() <= options_.max_span;
}

// The three extensions take the smallest consistent phrase that is larger; if what was added is not
// a phrase of its own, they give up. Smallest: consistent phrases with a word in common are closed
// under intersection, so the first bit is it.

void RuleFinder::extend_right(const SentenceRecord& record, const Phrase& phrase) {
  const auto [begin, end] = phrase.source;
  if (phrase.ends.right || end == record.source_length() || !record.aligned(begin) ||
      !record.aligned(end))
    return;
  const int skipped = end - begin + options_.min_gap - 1;
  const int longer = record.spans_from(begin) >> skipped;
  if (longer == 0) return;
  Phrase extended = phrase;
  const int new_end = begin + skipped + std::countr_zero(static_cast<unsigned>(longer)) + 1;
  if (new_end - begin <= options_.max_span && add_right(record, extended, new_end))
    emit(record, extended);
}

void RuleFinder::extend_left(const SentenceRecord& record, const Phrase& phrase) {
  const auto [begin, end] = phrase.source;
  if (phrase.ends.left || begin == 0 || !record.aligned(begin - 1) || !record.aligned(end - 1))
    return;
  const int skipped = end - begin + options_.min_gap - 1;
  const int longer = record.spans_to(end - 1) >> skipped;
  if (longer == 0) return;
  Phrase extended = phrase;
  const int new_begin = end - (skipped + std::countr_zero(static_cast<unsigned>(longer)) + 1);
  if (end - new_begin <= options_.max_span && add_left(record, extended, new_begin))
    emit(record, extended);
}

void RuleFinder::extend_both(const SentenceRecord& record, const Phrase& phrase) {
  const auto [begin, end] = phrase.source;
  if (phrase.ends.left || phrase.ends.right || begin == 0 || end == record.source_length() ||
      !record.aligned(begin - 1) || !record.aligned(end))
    return;
  for (int new_begin = begin - options_.min_gap; new_begin >= 0; --new_begin) {
    const int skipped = end - new_begin + options_.min_gap - 1;
    if (skipped >= options_.max_span) return;
    const int longer = record.spans_from(new_begin) >> skipped;
    if (longer == 0) continue;
    Phrase extended = phrase;
    const int new_end = new_begin + skipped + std::countr_zero(static_cast<unsigned>(longer)) + 1;
    if (new_end - new_begin <= options_.max_span && add_left(record, extended, new_begin) &&
        add_right(record, extended, new_end))
      emit(record, extended);
    return;
  }
}

void RuleFinder::emit(const SentenceRecord& record, const Phrase& phrase) {
  FoundRule& rule = found_[found_size_++];
  rule.ends = phrase.ends;
  rule.target_length = 0;
  rule.source_span = phrase.source;
  rule.target_span = phrase.target;
  rule.gaps = phrase.gaps;
  rule.gap = phrase.gap;
  std::array<std::uint8_t, kMaxSpan>
      symbol_of{};  // target symbol of each target word, counted from the first
  for (int j = phrase.target.begin; j < phrase.target.end; ++rule.target_length) {
    auto& symbol = rule.target[static_cast<std::size_t>(rule.target_length)];
    symbol_of[static_cast<std::size_t>(j - phrase.target.begin)] =
        static_cast<std::uint8_t>(rule.target_length);
    symbol = static_cast<Symbol>(record.target_word(j));
    int next = j + 1;
    for (int g = 0; g < phrase.gaps; ++g)
      if (phrase.gap[static_cast<std::size_t>(g)].target.begin == j) {
        symbol = nonterminal(g);
        next = phrase.gap[static_cast<std::size_t>(g)].target.end;
      }
    j = next;
  }
  rule.alignment = {};
  std::size_t symbol = phrase.ends.left;
  for (std::size_t c = 0; c < static_cast<std::size_t>(shape_.chunks); ++c, ++symbol)
    for (int i = chunks_[c].begin; i < chunks_[c].end; ++i, ++symbol)
      record.for_each_link(i, [&](int j) {
        rule.alignment[symbol] |= static_cast<std::uint16_t>(
            1u << symbol_of[static_cast<std::size_t>(j - phrase.target.begin)]);
      });
}

}  // namespace demotic
