#include "grammar/rule_counter.hpp"

#include <algorithm>
#include <bit>

#include "base/hash.hpp"

namespace demotic {
namespace {

// Is the list of links of `a` before that of `b` in lexicographic order?
bool links_before(const AlignmentBits& a, const AlignmentBits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const unsigned different = a[i] ^ b[i];
    if (different == 0) continue;
    // The first link that only one of them has: its list is smaller, unless the other one has ended
    // there.
    const int bit = std::countr_zero(different);
    const bool in_a = (a[i] >> bit & 1) != 0;
    const AlignmentBits& other = in_a ? b : a;
    bool other_goes_on = (other[i] >> bit) != 0;
    for (std::size_t k = i + 1; k < other.size(); ++k) other_goes_on |= other[k] != 0;
    return in_a == other_goes_on;
  }
  return false;
}

}  // namespace

void RuleCounter::add(const FoundRule& rule, bool is_addition) {
  const auto ends = static_cast<std::uint8_t>(rule.ends.index());
  const std::span<const Symbol> words(rule.target.data(),
                                      static_cast<std::size_t>(rule.target_length));
  std::uint64_t hash = ends;
  for (const Symbol symbol : words)
    hash = (std::rotl(hash, 5) ^ static_cast<std::uint32_t>(symbol)) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 32;

  const auto same = [&](std::uint32_t number) {
    const Entry& entry = entries_[number];
    return entry.hash == hash && entry.ends == ends && std::ranges::equal(target(entry), words);
  };
  const auto hash_of = [&](std::uint32_t number) { return entries_[number].hash; };
  const auto [number, is_new] =
      table_.insert(hash, static_cast<std::uint32_t>(entries_.size()), same, hash_of);
  if (is_new) {
    entries_.push_back({hash, static_cast<std::uint32_t>(symbols_.size()), 0, kEnd,
                        static_cast<std::uint8_t>(words.size()), ends});
    symbols_.insert(symbols_.end(), words.begin(), words.end());
  }
  ++entries_[number].count;
  entries_[number].added += is_addition;
  count_alignment(entries_[number], rule.alignment, 1);
}

void RuleCounter::count_alignment(Entry& entry, const AlignmentBits& bits, int by) {
  for (std::uint32_t a = entry.alignment; a != kEnd; a = alignments_[a].next)
    if (alignments_[a].bits == bits) {
      alignments_[a].count += static_cast<std::uint32_t>(by);
      return;
    }
  alignments_.push_back({bits, static_cast<std::uint32_t>(by), entry.alignment});
  entry.alignment = static_cast<std::uint32_t>(alignments_.size() - 1);
}

void RuleCounter::take(RuleCounts& counts) {
  sort_entries();
  counts.clear();
  for (const Entry& entry : entries_) {
    const auto begin = static_cast<std::uint32_t>(counts.alignments.size());
    for (std::uint32_t a = entry.alignment; a != kEnd; a = alignments_[a].next)
      counts.alignments.push_back({alignments_[a].bits, alignments_[a].count});
    counts.rules.push_back({entry.count, static_cast<std::uint32_t>(counts.symbols.size()), begin,
                            static_cast<std::uint16_t>(counts.alignments.size() - begin),
                            entry.target_length, entry.ends});
    const auto words = target(entry);
    counts.symbols.insert(counts.symbols.end(), words.begin(), words.end());
  }
  clear();
}

void RuleCounter::load(const KeptPattern& kept) {
  const auto symbols = kept.symbols();
  symbols_.assign(symbols.begin(), symbols.end());
  const auto alignments = kept.alignments();
  for (const KeptRule& rule : kept.rules()) {
    std::uint32_t last = kEnd;
    for (const auto& [bits, count] : alignments.subspan(rule.alignment_begin, rule.alignments)) {
      alignments_.push_back({bits, count, last});
      last = static_cast<std::uint32_t>(alignments_.size() - 1);
    }
    entries_.push_back({0, rule.target_begin, rule.count, last, rule.target_length, rule.ends});
  }
}

void RuleCounter::change(const FoundRule& rule, int by) {
  const auto ends = static_cast<std::uint8_t>(rule.ends.index());
  const std::span<const Symbol> words(rule.target.data(),
                                      static_cast<std::size_t>(rule.target_length));
  auto entry = std::ranges::find_if(entries_, [&](const Entry& other) {
    return other.ends == ends && std::ranges::equal(target(other), words);
  });
  if (entry == entries_.end()) {
    entries_.push_back({0, static_cast<std::uint32_t>(symbols_.size()), 0, kEnd,
                        static_cast<std::uint8_t>(words.size()), ends});
    symbols_.insert(symbols_.end(), words.begin(), words.end());
    entry = entries_.end() - 1;
  }
  entry->count += static_cast<std::uint32_t>(by);
  count_alignment(*entry, rule.alignment, by);
}

const AlignmentBits& RuleCounter::best_alignment(const Entry& entry) const {
  const Alignment* best = &alignments_[entry.alignment];
  for (std::uint32_t a = best->next; a != kEnd; a = alignments_[a].next) {
    const Alignment& other = alignments_[a];
    if (other.count > best->count ||
        (other.count == best->count && links_before(other.bits, best->bits)))
      best = &other;
  }
  return best->bits;
}

std::shared_ptr<RuleBlock> RuleCounter::finish(std::span<const Symbol> pattern,
                                               std::uint32_t max_targets) {
  std::erase_if(entries_, [](const Entry& entry) { return entry.count == 0; });
  sort_entries();
  auto block = std::make_shared<RuleBlock>();
  block->rules.reserve(entries_.size());
  block->statistics.reserve(entries_.size());
  block->symbols.reserve(symbols_.size() + 4 * (pattern.size() + 2));
  block->links.reserve(2 * entries_.size());
  for (std::size_t begin = 0, end; begin < entries_.size(); begin = end) {
    for (end = begin; end < entries_.size() && entries_[end].ends == entries_[begin].ends;) ++end;
    const Ends ends{(entries_[begin].ends & 1) != 0, (entries_[begin].ends & 2) != 0};
    add_side(*block, ends, pattern, std::span(entries_).subspan(begin, end - begin), max_targets);
  }
  clear();
  return block;
}

void RuleCounter::sort_entries() {
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.ends != b.ends) return a.ends < b.ends;
    if (a.count != b.count) return a.count > b.count;
    return std::ranges::lexicographical_compare(target(a), target(b), order_);
  };
  // Kept counts are in order, and so they remain, for the most part.
  if (!std::ranges::is_sorted(entries_, before)) std::ranges::sort(entries_, before);
}

void RuleCounter::clear() {
  table_.clear();
  entries_.clear();
  symbols_.clear();
  alignments_.clear();
}

void RuleCounter::add_side(RuleBlock& block, Ends ends, std::span<const Symbol> pattern,
                           std::span<const Entry> entries, std::uint32_t max_targets) const {
  SourceSide side{static_cast<std::uint32_t>(block.symbols.size()),
                  static_cast<std::uint32_t>(block.rules.size()),
                  0,
                  0,
                  0,
                  0};
  for (const Entry& entry : entries) side.count_f += entry.count;
  if (max_targets > 0) entries = entries.first(std::min<std::size_t>(entries.size(), max_targets));

  const auto add_nonterminal = [&] { block.symbols.push_back(nonterminal(side.nonterminals++)); };
  if (ends.left) add_nonterminal();
  for (const Symbol symbol : pattern) {
    if (symbol < 0)
      add_nonterminal();
    else
      block.symbols.push_back(symbol);
  }
  if (ends.right) add_nonterminal();
  side.length = static_cast<std::uint8_t>(block.symbols.size() - side.symbol_begin);

  for (const Entry& entry : entries) {
    Rule rule{static_cast<std::uint32_t>(block.symbols.size()),
              static_cast<std::uint32_t>(block.links.size()), entry.target_length, 0};
    const auto words = target(entry);
    block.symbols.insert(block.symbols.end(), words.begin(), words.end());
    const AlignmentBits& bits = best_alignment(entry);
    for (std::size_t i = 0; i < bits.size(); ++i)
      for (unsigned row = bits[i]; row != 0; row &= row - 1)
        block.links.push_back(
            {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(std::countr_zero(row))});
    rule.link_count = static_cast<std::uint16_t>(block.links.size() - rule.link_begin);
    block.rules.push_back(rule);
    block.statistics.push_back({.count_fe = static_cast<float>(entry.count),
                                .count_added = static_cast<float>(entry.added)});
  }
  side.rule_end = static_cast<std::uint32_t>(block.rules.size());
  block.sides.push_back(side);
}

}  // namespace demotic
