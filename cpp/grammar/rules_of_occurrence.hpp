// The rules that one occurrence of a source pattern gives: Chiang's (2007) hierarchical rules with
// tight phrases, by the conventions of cdec's extractor.
#pragma once

#include <array>
#include <cstdint>

#include "grammar/occurrences.hpp"
#include "grammar/options.hpp"
#include "grammar/sentence_record.hpp"

namespace demotic {

// A word of the vocabulary of its side, or a nonterminal: -1 is the first of the source side, -2
// the second.
using Symbol = std::int32_t;
constexpr Symbol nonterminal(int number) { return -1 - number; }

// The chunks of a pattern by their lengths.
struct PatternShape {
  int chunks;
  std::array<int, 3> lengths;
  int symbols() const {
    int all = chunks - 1;
    for (int i = 0; i < chunks; ++i) all += lengths[static_cast<std::size_t>(i)];
    return all;
  }
};

// Which ends of the pattern carry a nonterminal: all rules of a pattern with the same ends share
// their source side.
struct Ends {
  bool left = false, right = false;
  int index() const { return left + 2 * right; }
  bool operator==(const Ends&) const = default;
};

// Links between the terminals of a rule: per source symbol a bit for every target symbol.
using AlignmentBits = std::array<std::uint16_t, kMaxSymbols>;

// What fills a nonterminal.
struct PhraseGap {
  Span source, target;
};

struct FoundRule {
  Ends ends;
  int target_length;
  std::array<Symbol, kMaxSpan> target;
  AlignmentBits alignment;
  // Where it stands in its sentence pair; gaps in the order of the source side.
  Span source_span, target_span;
  int gaps;
  std::array<PhraseGap, 2> gap;
};

class RuleFinder {
 public:
  RuleFinder(const ExtractOptions& options, const PatternShape& shape)
      : options_(options), shape_(shape) {}

  // The rules of an occurrence inside this sentence pair, valid until the next call: none, or one
  // for each choice of ends.
  std::span<const FoundRule> find(const SentenceRecord& record, const Occurrence& occurrence);

 private:
  struct Phrase {  // source and target span of a rule, and its gaps in the order of the source side
    Span source, target;
    Ends ends;
    int gaps = 0;
    std::array<PhraseGap, 2> gap;
  };

  bool locate_chunks(const SentenceRecord& record, const Occurrence& occurrence);
  bool any_aligned(const SentenceRecord& record) const;
  bool inner_gaps(const SentenceRecord& record, Phrase& phrase) const;
  bool make_consistent(const SentenceRecord& record, Phrase& phrase) const;
  bool can_grow(const Phrase& phrase, int nonterminals) const;
  bool add_left(const SentenceRecord& record, Phrase& phrase, int begin) const;
  bool add_right(const SentenceRecord& record, Phrase& phrase, int end) const;
  bool gap_at(const SentenceRecord& record, Span source, PhraseGap& gap) const;
  void extend_right(const SentenceRecord& record, const Phrase& phrase);
  void extend_left(const SentenceRecord& record, const Phrase& phrase);
  void extend_both(const SentenceRecord& record, const Phrase& phrase);
  void emit(const SentenceRecord& record, const Phrase& phrase);

  const ExtractOptions& options_;
  const PatternShape shape_;
  std::array<Span, 3> chunks_;  // of the current occurrence
  std::array<FoundRule, 4> found_;
  std::size_t found_size_ = 0;
};

}  // namespace demotic
