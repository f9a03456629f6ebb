#include "grammar/target_counts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/prefetch.hpp"
#include "grammar/stride.hpp"

namespace demotic {

namespace {

constexpr std::size_t kShare = 8;  // of the memory for finished patterns: each of two tables may
                                   // take so much of it in a thread

}  // namespace

void TargetCounts::start(const Mask* mask) {
  const std::uint64_t id = mask != nullptr ? mask->id() : 0;
  const bool is_same =
      (mask == nullptr) == (masked_ == nullptr) && id == mask_id_ && (mask == nullptr || id != 0);
  if (!is_same && ++turn_ == 0) {  // it has gone round
    recent_.clear(), older_.clear();
    recent_bytes_ = 0, turn_ = 1;
  }
  masked_ = mask != nullptr ? &mask->target(part_) : nullptr, mask_id_ = id;
  if (recent_bytes_ > options_.cache_bytes / kShare) {
    older_ = std::exchange(recent_, {});
    recent_bytes_ = 0;
  }
}

double TargetCounts::count(std::span<const Symbol> target) {
  split(target);
  key_.clear();
  for (const auto& [words, gap, range] : chunks_) {
    const Symbol separator = -1 - static_cast<Symbol>(gap);  // like no word
    key_.append(reinterpret_cast<const char*>(&separator), sizeof separator);
    key_.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  }
  Sightings& seen = find_or_add()->second;
  if (seen.turn == turn_) return seen.count;
  seen.turn = turn_;
  if (seen.all == 0) return seen.count = 0;
  if (chunks_.size() == 1 && masked_ == nullptr) return seen.count = seen.all;
  if (!seen.is_listed) list(seen);
  const auto found = masked_ == nullptr ? std::ssize(seen.places)
                                        : std::ranges::count_if(seen.places, [&](auto place) {
                                            return !masked_->contains(place);
                                          });
  return seen.count = static_cast<double>(found) * seen.all / seen.visits;
}

TargetCounts::Known::iterator TargetCounts::find_or_add() {
  if (const auto place = recent_.find(key_); place != recent_.end()) return place;
  const auto before = older_.find(key_);
  const auto place = before != older_.end() ? recent_.insert(older_.extract(before)).position
                                            : recent_.try_emplace(key_).first;
  if (before == older_.end()) {
    locate();
    place->second.all = chunks_[anchor_].range.size();
  }
  recent_bytes_ += sizeof *place + 4 * sizeof(void*) + key_.size() +
                   place->second.places.size() * sizeof(std::uint32_t);
  return place;
}

// The rarest chunk; if one does not occur at all, that.
void TargetCounts::locate() {
  anchor_ = 0;
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    chunks_[c].range = find(chunks_[c].words);
    if (chunks_[c].range.size() < chunks_[anchor_].range.size()) anchor_ = c;
  }
}

void TargetCounts::list(Sightings& seen) {
  locate();
  const SuffixRange range = chunks_[anchor_].range;
  Stride now(range.size()), soon(range.size()), later(range.size());
  const auto suffix = [&](Stride& tour) -> const std::uint32_t& {
    return text_.suffixes[range.begin + tour.next()];
  };
  seen.visits =
      options_.max_samples > 0 ? std::min(range.size(), options_.max_samples) : range.size();
  fetch_ahead(
      seen.visits, [&](std::size_t) { prefetch(&suffix(later)); },
      [&](std::size_t) { prefetch(&text_.tokens[suffix(soon)]); },
      [&](std::size_t) {
        anchor_position_ = suffix(now);
        seen.places.insert(seen.places.end(), placements_around_anchor(), anchor_position_);
        return true;
      });
  seen.places.shrink_to_fit();
  seen.is_listed = true;
  recent_bytes_ += seen.places.size() * sizeof(std::uint32_t);
}

void TargetCounts::split(std::span<const Symbol> target) {
  chunks_.clear();
  for (std::size_t begin = 0, end; begin < target.size(); begin = end) {
    std::uint32_t nonterminals = 0;
    for (; begin < target.size() && target[begin] < 0; ++begin) ++nonterminals;
    for (end = begin; end < target.size() && target[end] >= 0;) ++end;
    if (chunks_.empty()) nonterminals = 0;  // at the end
    if (end > begin)
      chunks_.push_back({target.subspan(begin, end - begin),
                         nonterminals * static_cast<std::uint32_t>(options_.min_gap),
                         {}});
  }
}

SuffixRange TargetCounts::find(std::span<const Symbol> words) const {
  SuffixRange range = text_.with_word(static_cast<WordId>(words[0]));
  for (std::uint32_t depth = 1; depth < words.size() && !range.empty(); ++depth)
    range = text_.extend(range, depth, static_cast<WordId>(words[depth]));
  return range;
}

bool TargetCounts::stands_at(std::uint32_t position, std::span<const Symbol> words) const {
  // The boundary after a sentence ends the comparison before the end of the text.
  for (std::size_t i = 0; i < words.size(); ++i)
    if (text_.tokens[position + i] != token_of(static_cast<WordId>(words[i]))) return false;
  return true;
}

std::uint32_t TargetCounts::placements_around_anchor() const {
  if (anchor_ == 0)
    return stands_at(anchor_position_, chunks_[0].words)
               ? placements(1, anchor_position_,
                            anchor_position_ + static_cast<std::uint32_t>(chunks_[0].words.size()))
               : 0;
  std::uint32_t all = 0;
  const auto max_span = static_cast<std::uint32_t>(options_.max_span);
  for (std::uint32_t begin = anchor_position_ - 1;
       text_.tokens[begin] != kBoundary && anchor_position_ - begin < max_span; --begin)
    if (stands_at(begin, chunks_[0].words))
      all += placements(1, begin, begin + static_cast<std::uint32_t>(chunks_[0].words.size()));
  return all;
}

std::uint32_t TargetCounts::placements(std::size_t c, std::uint32_t begin,
                                       std::uint32_t end) const {
  if (c == chunks_.size()) return 1;
  const auto [words, gap, range] = chunks_[c];
  const auto length = static_cast<std::uint32_t>(words.size());
  // The gap must lie inside the sentence, and the chunk inside the span and not beyond the anchor.
  for (std::uint32_t i = 0; i < gap; ++i)
    if (text_.tokens[end + i] == kBoundary) return 0;
  std::uint32_t all = 0;
  for (std::uint32_t place = end + gap;
       place + length <= begin + static_cast<std::uint32_t>(options_.max_span) &&
       text_.tokens[place] != kBoundary;
       ++place) {
    if (c <= anchor_ && place > anchor_position_) break;
    if ((c != anchor_ || place == anchor_position_) && stands_at(place, words))
      all += placements(c + 1, begin, place + length);
  }
  return all;
}

}  // namespace demotic
