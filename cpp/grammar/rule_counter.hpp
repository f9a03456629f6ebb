// Counts the rules of one pattern over its occurrences.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/probe_table.hpp"
#include "grammar/grammar.hpp"
#include "grammar/index.hpp"
#include "grammar/kept_pattern.hpp"
#include "grammar/rules_of_occurrence.hpp"

namespace demotic {

class RuleCounter {
 public:
  explicit RuleCounter(TargetOrder order) : order_(order) {}

  void add(const FoundRule& rule, bool is_addition = false);

  // The rules counted since the last call, as a block without features. `pattern`: the source
  // symbols without those at the ends, inner nonterminals as nonterminal(0). Keeps the max_targets
  // most frequent rules of every source side (0: all).
  std::shared_ptr<RuleBlock> finish(std::span<const Symbol> pattern, std::uint32_t max_targets);

  // The same for counts that are kept: takes what was counted since the last call, and begins with
  // such counts.
  void take(RuleCounts& counts);
  void load(const KeptPattern& kept);
  // After load(): one more (1) or less (-1) of a rule.
  void change(const FoundRule& rule, int by);

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint32_t target_begin, count, alignment;  // alignment: first of a list in alignments_
    std::uint8_t target_length, ends;
    std::uint32_t added = 0;  // of the count: in additions
  };
  struct Alignment {
    AlignmentBits bits;
    std::uint32_t count, next;
  };
  static constexpr std::uint32_t kEnd = 0xffffffff;

  std::span<const Symbol> target(const Entry& entry) const {
    return std::span(symbols_).subspan(entry.target_begin, entry.target_length);
  }
  void count_alignment(Entry& entry, const AlignmentBits& bits, int by);
  void sort_entries();
  void clear();
  const AlignmentBits& best_alignment(const Entry& entry) const;
  void add_side(RuleBlock& block, Ends ends, std::span<const Symbol> pattern,
                std::span<const Entry> entries, std::uint32_t max_targets) const;

  TargetOrder order_;
  std::vector<Entry> entries_;
  std::vector<Symbol> symbols_;
  std::vector<Alignment> alignments_;
  NumberTable table_;  // of entries_
};

}  // namespace demotic
