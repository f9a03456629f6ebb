#include "grammar/occurrences.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/prefetch.hpp"
#include "grammar/stride.hpp"

namespace demotic {
void sample_chunk(const IndexedText& text, SuffixRange range, const PositionSet* masked,
                  std::uint32_t max_samples, Sample& sample) {
  const auto excluded = [&](std::uint32_t i) {
    return masked != nullptr && masked->contains(text.suffixes[i]);
  };
  const auto take = [&](std::uint32_t i) { sample.occurrences.push_back({text.suffixes[i]}); };
  if (max_samples == 0 || range.size() <= max_samples) {
    for (std::uint32_t i = range.begin; i < range.end; ++i)
      if (!excluded(i)) take(i);
    sample.total = static_cast<double>(sample.occurrences.size());
    return;
  }
  const IntervalSample intervals(text, range, max_samples, masked);
  std::uint32_t next = range.begin;
  for (std::uint32_t k = 0; k < max_samples; ++k)
    if (const auto found = intervals.find(k, next)) {
      take(*found);
      next = *found + 1;
    }
  // Intervals without any occurrence left count for nothing, the others for all of theirs.
  sample.total = intervals.step() * static_cast<double>(sample.occurrences.size());
}

std::uint32_t IntervalSample::middle(std::uint32_t k) const {
  return std::min(range_.end - 1,
                  static_cast<std::uint32_t>(std::lround(range_.begin + k * step_)));
}

std::optional<std::uint32_t> IntervalSample::find(std::uint32_t k, std::uint32_t next) const {
  const std::uint32_t center = middle(k);
  const std::uint32_t end = k + 1 == max_samples_ ? range_.end : middle(k + 1);
  // Outwards from the centre, to half the distance of the neighbouring centres.
  for (std::uint32_t distance = 0; distance <= static_cast<std::uint32_t>(step_ / 2) + 1;
       ++distance) {
    if (center + distance < end && !excluded(center + distance)) return center + distance;
    if (center >= next + distance && !excluded(center - distance)) return center - distance;
  }
  return std::nullopt;
}

void AnchorScan::run(const InputTrie& trie, std::span<const Pattern> patterns,
                     const PositionSet* masked, std::span<Sample> samples, std::uint32_t spare) {
  patterns_ = patterns;
  spare_ = spare;
  samples_ = samples;
  for (Sample& sample : samples) sample.clear();
  prepare(trie, patterns);
  scan(trie, trie[patterns[0].chunks[patterns[0].anchor]].ranges[part_], masked);
  for (const NodeId node : used_) partners_[node] = partners_[trie[node].root] = {};
  used_.clear();
}

void AnchorScan::prepare(const InputTrie& trie, std::span<const Pattern> patterns) {
  if (partners_.size() < trie.size()) partners_.resize(trie.size());
  anchor_length_ = trie[patterns[0].chunks[patterns[0].anchor]].depth;
  indices_ = 0;
  deepest_ = 1;
  open_pairs_ = open_triples_ = 0;
  for (const Pattern& pattern : patterns) {
    for (int i = 0; i < pattern.size; ++i) {
      if (i == pattern.anchor) continue;
      deepest_ = std::max(deepest_, trie[pattern.chunks[i]].depth);
      used_.push_back(pattern.chunks[i]);
      if (pattern.size == 3) index_of(pattern.chunks[i]);
    }
    ++(pattern.size == 2 ? open_pairs_ : open_triples_);
    count_open(trie, pattern, 1);
  }
  for (auto& table : tables_)
    table.assign(static_cast<std::size_t>(indices_) * static_cast<std::size_t>(indices_), kNone);
  slots_.clear();
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    const auto& [chunks, size, anchor] = patterns[p];
    std::int32_t* slot = nullptr;
    if (size == 2)
      slot = anchor == 0 ? &partners_[chunks[1]].after : &partners_[chunks[0]].before;
    else
      slot = &table(anchor, partners_[chunks[anchor == 0 ? 1 : 0]].index,
                    partners_[chunks[anchor == 2 ? 1 : 2]].index);
    *slot = static_cast<std::int32_t>(p);
    slots_.push_back(slot);
  }
}

std::int32_t AnchorScan::index_of(NodeId node) {
  auto& index = partners_[node].index;
  if (index == kNone) index = indices_++;
  return index;
}

std::int32_t& AnchorScan::table(int anchor, std::int32_t first, std::int32_t second) {
  return tables_[anchor][static_cast<std::size_t>(first) * static_cast<std::size_t>(indices_) +
                         static_cast<std::size_t>(second)];
}

void AnchorScan::scan(const InputTrie& trie, SuffixRange range, const PositionSet* masked) {
  const std::uint64_t limits[] = {options_.scan_limit_of(2), options_.scan_limit_of(3)};
  const std::uint32_t size = range.size();
  share_ = 1;
  rank_ = 0;
  if (size == 0) {  // of one part of the index
    close_all(trie, 3);
    close_all(trie, 2);
    return;
  }
  // The same tour three times, at a distance: the time of one visit is a fraction of a fetch from
  // memory.
  Stride now(size), soon(size), later(size);
  const auto suffix = [&](Stride& tour) -> const std::uint32_t& {
    return text_.suffixes[range.begin + tour.next()];
  };
  const auto window = static_cast<std::uint32_t>(options_.max_span);
  visited_ = 0;
  fetch_ahead(
      size, [&](std::size_t) { prefetch(&suffix(later)); },
      [&](std::size_t) {
        const std::uint32_t ahead = suffix(soon);
        for (const std::uint32_t token : {ahead - std::min(ahead, window), ahead, ahead + window})
          prefetch(text_.tokens.data() + token);
      },
      [&](std::size_t k) {
        if (open_pairs_ + open_triples_ == 0) return false;
        const std::uint32_t position = suffix(now);
        if (masked != nullptr && masked->contains(position)) return true;
        if (position + anchor_length_ >= text_.tokens.size())
          return true;  // only in a damaged suffix array
        rank_ = static_cast<std::uint32_t>(k);
        for (const std::uint8_t chunks : {3, 2})
          if (const std::uint64_t limit = limits[chunks - 2];
              limit > 0 && visited_ == limit + spare_)
            close_all(trie, chunks);
        ++visited_;
        share_ = static_cast<double>(k + 1) / size;
        visit(trie, position);
        return true;
      });
  share_ = 1;
  rank_ = size;
  close_all(trie, 3);
  close_all(trie, 2);
}

void AnchorScan::visit(const InputTrie& trie, std::uint32_t position) {
  before_.clear();
  after_.clear();
  match_before(trie, position);
  match_after(trie, position);
  if (open_triples_ > 0) match_triples(trie, position);
}

// Both directions first collect the places in the window that matter, without branches that the
// processor could not foresee.

void AnchorScan::match_before(const InputTrie& trie, std::uint32_t position) {
  const auto gap = static_cast<std::uint32_t>(options_.min_gap),
             max_span = static_cast<std::uint32_t>(options_.max_span);
  if (anchor_length_ + gap >= max_span || position <= gap) return;
  const std::uint32_t reach =
      std::min(position, max_span - anchor_length_);  // distance of the furthest place
  std::array<std::uint32_t, kMaxSpan> stops;
  std::size_t size = 0;
  for (std::uint32_t distance = 1; distance <= reach; ++distance) {
    stops[size] = position - distance;
    size += is_stop(text_.tokens[position - distance]);
  }
  for (std::size_t i = 0; i < size && text_.tokens[stops[i]] != kBoundary; ++i) {
    const std::uint32_t begin = stops[i];
    if (begin + gap >= position) continue;
    NodeId node = trie.root(text_.tokens[begin]);
    for (std::uint32_t end = begin + 1; node != kNoNode;
         node = trie.child(node, text_.tokens[end]), ++end) {
      const Partner& partner = partners_[node];
      if (partner.before != kNone) add(trie, partner.before, begin, position, begin);
      if (partner.index != kNone) before_.push_back({begin, end, partner.index});
      if (end - begin == deepest_ || end == position - gap) break;
    }
  }
}

void AnchorScan::match_after(const InputTrie& trie, std::uint32_t position) {
  const auto gap = static_cast<std::uint32_t>(options_.min_gap);
  const std::uint32_t anchor_end = position + anchor_length_;
  const std::uint32_t limit = std::min(position + static_cast<std::uint32_t>(options_.max_span),
                                       static_cast<std::uint32_t>(text_.tokens.size()));
  std::array<std::uint32_t, kMaxSpan> stops;
  std::size_t size = 0;
  for (std::uint32_t begin = anchor_end; begin < limit; ++begin) {
    stops[size] = begin;
    size += is_stop(text_.tokens[begin]);
  }
  for (std::size_t i = 0; i < size && text_.tokens[stops[i]] != kBoundary; ++i) {
    const std::uint32_t begin = stops[i];
    if (begin < anchor_end + gap) continue;
    NodeId node = trie.root(text_.tokens[begin]);
    for (std::uint32_t end = begin + 1; node != kNoNode;
         node = trie.child(node, text_.tokens[end]), ++end) {
      const Partner& partner = partners_[node];
      if (partner.after != kNone) add(trie, partner.after, position, begin, position);
      if (partner.index != kNone) after_.push_back({begin, end, partner.index});
      if (end - begin == deepest_ || end == limit) break;
    }
  }
}

void AnchorScan::match_triples(const InputTrie& trie, std::uint32_t position) {
  const auto gap = static_cast<std::uint32_t>(options_.min_gap),
             max_span = static_cast<std::uint32_t>(options_.max_span);
  const auto try_add = [&](int anchor, const Match& a, const Match& b, std::uint32_t first,
                           std::uint32_t second, std::uint32_t third) {
    const std::int32_t pattern = table(anchor, a.index, b.index);
    if (pattern != kNone) add(trie, pattern, first, second, third);
  };
  for (const Match& a : before_) {
    for (const Match& b : after_)
      if (b.end - a.begin <= max_span) try_add(1, a, b, a.begin, position, b.begin);
    for (const Match& b : before_)
      if (a.end + gap <= b.begin) try_add(2, a, b, a.begin, b.begin, position);
  }
  for (const Match& a : after_)
    for (const Match& b : after_)
      if (a.end + gap <= b.begin) try_add(0, a, b, position, a.begin, b.begin);
}

void AnchorScan::add(const InputTrie& trie, std::int32_t pattern, std::uint32_t first,
                     std::uint32_t second, std::uint32_t third) {
  Sample& sample = samples_[static_cast<std::size_t>(pattern)];
  sample.occurrences.push_back(
      {first, static_cast<std::uint8_t>(second - first), static_cast<std::uint8_t>(third - first)});
  if (spare_ > 0) sample.ranks.push_back(rank_);
  if (options_.max_samples > 0 && sample.occurrences.size() == options_.max_samples + spare_)
    close(trie, pattern);
}

void AnchorScan::close(const InputTrie& trie, std::int32_t pattern) {
  const auto p = static_cast<std::size_t>(pattern);
  *slots_[p] = kNone;
  --(patterns_[p].size == 2 ? open_pairs_ : open_triples_);
  count_open(trie, patterns_[p], -1);
  samples_[p].reach = rank_;
  samples_[p].total = static_cast<double>(samples_[p].occurrences.size()) / share_;
}

void AnchorScan::close_all(const InputTrie& trie, std::uint8_t size) {
  for (std::size_t p = 0; p < patterns_.size(); ++p)
    if (patterns_[p].size == size && *slots_[p] != kNone) close(trie, static_cast<std::int32_t>(p));
}

void AnchorScan::count_open(const InputTrie& trie, const Pattern& pattern, int change) {
  for (std::size_t i = 0; i < pattern.size; ++i) {
    if (i == pattern.anchor) continue;
    const NodeId root = trie[pattern.chunks[i]].root;
    std::uint32_t& open = partners_[root].open;
    open += static_cast<std::uint32_t>(change);
    const Token token = token_of(trie[root].word);
    const std::uint64_t bit = std::uint64_t{1} << (token % 64);
    stops_[token / 64] = open > 0 ? stops_[token / 64] | bit : stops_[token / 64] & ~bit;
  }
}

}  // namespace demotic
