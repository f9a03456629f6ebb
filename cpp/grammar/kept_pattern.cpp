#include "grammar/kept_pattern.hpp"

#include <algorithm>
#include <cstring>

#include "grammar/stride.hpp"

namespace demotic {

KeptPattern::KeptPattern(const Sample& sample, std::uint32_t size, const RuleCounts& counts)
    : size_(size), reach_(sample.reach) {
  // Ranks are asked for from the last occurrence of the sample on; with an empty sample that is one
  // before the first.
  std::vector<std::uint32_t> ranks;
  if (!sample.ranks.empty()) {
    if (size == 0) ranks.push_back(0);
    ranks.insert(ranks.end(), sample.ranks.begin() + (size == 0 ? 0 : size - 1),
                 sample.ranks.end());
  }
  auto add = [&, end = std::uint32_t{0}](int i, const auto& values) mutable {
    static_assert(sizeof values[0] % 4 == 0 && alignof(decltype(values[0])) <= 4);
    ends_[i] = end += static_cast<std::uint32_t>(values.size() * sizeof values[0] / 4);
  };
  add(0, sample.occurrences), add(1, ranks), add(2, counts.rules);
  add(3, counts.alignments), add(4, counts.symbols);
  memory_ = std::make_unique_for_overwrite<std::uint32_t[]>(ends_[4]);
  const auto copy = [&](int i, const auto& values) {
    if (!values.empty())
      std::memcpy(memory_.get() + (i == 0 ? 0 : ends_[i - 1]), values.data(),
                  values.size() * sizeof values[0]);
  };
  copy(0, sample.occurrences), copy(1, ranks), copy(2, counts.rules);
  copy(3, counts.alignments), copy(4, counts.symbols);
}

std::uint32_t KeptPattern::sample_size(const Sample& sample, int chunks,
                                       const ExtractOptions& options) {
  std::size_t size = sample.occurrences.size();
  if (const std::uint64_t limit = chunks > 1 ? options.scan_limit_of(chunks) : 0; limit > 0)
    size = static_cast<std::size_t>(std::ranges::lower_bound(sample.ranks, limit) -
                                    sample.ranks.begin());
  return static_cast<std::uint32_t>(std::min<std::size_t>(size, options.max_samples));
}

void OneOutSamples::start(const InputTrie& trie, const Mask& mask) {
  trie_ = &trie;
  masked_ = &mask.source(0);
  sentence_ = mask.sentences()[0];
  ranks_.assign(trie.size(), {});
}

bool OneOutSamples::all_masked(std::span<const Occurrence> occurrences) const {
  return std::ranges::all_of(occurrences,
                             [&](const Occurrence& o) { return masked_->contains(o.position); });
}

// Follows what sampling does with the mask, step by step: see sample_chunk and AnchorScan.
bool OneOutSamples::change(const Pattern& pattern, const KeptPattern& kept, SampleChange& result) {
  result.clear();
  const NodeId anchor = pattern.chunks[pattern.anchor];
  const SuffixRange range = (*trie_)[anchor].ranges[0];
  if (pattern.size == 1) {
    change_chunk(range, kept, result);
    return true;
  }
  std::uint64_t end = range.size();  // the scan ends before this rank
  if (const std::uint64_t limit = options_.scan_limit_of(pattern.size); limit > 0 && end > limit) {
    const Ranks& masked = masked_ranks(anchor);
    if (!masked.is_complete) return false;
    if (end - masked.ranks.size() > limit) {
      end = limit;
      for (const std::uint32_t rank : masked.ranks) end += rank < end;
    }
  }
  const auto occurrences = kept.occurrences();
  for (std::size_t i = 0; i < occurrences.size(); ++i) {
    const bool is_spare = i >= kept.size();
    if (is_spare && kept.rank(i) >= end) break;
    if (masked_->contains(occurrences[i].position)) {
      if (!is_spare) result.removed.push_back(occurrences[i]);
      continue;
    }
    if (is_spare) result.added.push_back(occurrences[i]);
    if (++result.samples == options_.max_samples) {
      const double share = static_cast<double>(kept.rank(i) + 1) / range.size();
      result.total = static_cast<double>(result.samples) / share;
      return true;
    }
  }
  const double share = static_cast<double>(end) / range.size();
  result.total = static_cast<double>(result.samples) / share;
  return kept.reach() >= end;
}

void OneOutSamples::change_chunk(SuffixRange range, const KeptPattern& kept,
                                 SampleChange& result) const {
  const auto occurrences = kept.occurrences();
  const bool is_whole = range.size() <= options_.max_samples;
  const IntervalSample intervals(text_, range, options_.max_samples, masked_);
  std::uint32_t next = range.begin;  // after the one before, unless that is masked, too
  std::size_t unmasked = 0;          // intervals that end in one that is not
  for (std::uint32_t k = 0; k < occurrences.size(); ++k) {
    if (!masked_->contains(occurrences[k].position)) {
      unmasked = k + 1;
      continue;
    }
    result.removed.push_back(occurrences[k]);
    if (is_whole) continue;
    if (unmasked == k && k > 0) next = intervals.middle(k - 1) + 1;
    if (const auto found = intervals.find(k, next)) {
      result.added.push_back({text_.suffixes[*found]});
      next = *found + 1;
    }
  }
  result.samples =
      static_cast<std::uint32_t>(occurrences.size() - result.removed.size() + result.added.size());
  result.total = static_cast<double>(result.samples) * (is_whole ? 1 : intervals.step());
}

const OneOutSamples::Ranks& OneOutSamples::masked_ranks(NodeId anchor) {
  Ranks& result = ranks_[anchor];
  if (result.is_known) return result;
  result.is_known = result.is_complete = true;
  words_.clear();
  trie_->append_words(anchor, words_);
  const SuffixRange range = (*trie_)[anchor].ranges[0];
  const Stride tour(range.size());
  for (std::uint32_t i = text_.starts[sentence_]; i < text_.starts[sentence_ + 1]; ++i) {
    // The boundary after the sentence ends the comparison.
    std::size_t same = 0;
    while (same < words_.size() && text_.tokens[i + same] == token_of(words_[same])) ++same;
    if (same < words_.size()) continue;
    const std::uint32_t place = text_.place_of(range, i);
    if (place == range.end)
      result.is_complete = false;  // only in a damaged suffix array
    else
      result.ranks.push_back(tour.rank_of(place - range.begin));
  }
  std::ranges::sort(result.ranks);
  return result;
}

}  // namespace demotic
