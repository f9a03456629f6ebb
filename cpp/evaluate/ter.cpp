#include "evaluate/ter.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace demotic {
namespace {

constexpr std::int32_t kFar = 1 << 29;  // cells outside the beam
constexpr std::size_t kLongestShift = 10, kFurthestShift = 50, kMostShifts = 1000;
constexpr std::int64_t kBeam = 25;

// The columns of row i that are looked at: those around the diagonal of a table whose sides may
// differ in length.
struct Beam {
  double slope;
  std::int64_t width, rows, columns;

  Beam(std::size_t hypothesis, std::size_t reference)
      : slope(hypothesis > 0 ? static_cast<double>(reference) / static_cast<double>(hypothesis)
                             : 1),
        // Rows that overlap with the one before even if the reference is very much longer.
        width(static_cast<double>(kBeam) < slope / 2
                  ? static_cast<std::int64_t>(std::ceil(slope / 2 + static_cast<double>(kBeam)))
                  : kBeam),
        rows(static_cast<std::int64_t>(hypothesis)),
        columns(static_cast<std::int64_t>(reference) + 1) {}

  std::pair<std::int64_t, std::int64_t> row(std::int64_t i) const {
    const auto middle = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * slope));
    return {std::max<std::int64_t>(0, middle - width),
            i == rows ? columns : std::min(columns, middle + width)};
  }
};

// A block of words before the word that is at `to` now; inside of the block itself: by as many
// words to the right.
void move_block(std::vector<std::uint32_t>& words, std::size_t from, std::size_t length,
                std::size_t to) {
  const auto at = [&](std::size_t place) {
    return words.begin() + static_cast<std::ptrdiff_t>(std::min(place, words.size()));
  };
  if (to < from)
    std::rotate(at(to), at(from), at(from + length));
  else
    std::rotate(at(from), at(from + length), at(to > from + length ? to : to + length));
}

}  // namespace

TerCounter::TerCounter(std::span<const std::vector<std::uint32_t>> references)
    : references_(references) {
  double total = 0;
  for (const auto& reference : references) total += static_cast<double>(reference.size());
  mean_length_ = static_cast<std::int32_t>(std::lround(
      total * kTerUnit / static_cast<double>(std::max<std::size_t>(1, references.size()))));
}

TerStatistics TerCounter::operator()(std::span<const std::uint32_t> hypothesis) {
  std::int32_t fewest = kFar / kTerUnit;
  for (const auto& reference : references_) fewest = std::min(fewest, edits(hypothesis, reference));
  return {fewest * kTerUnit, mean_length_};
}

bool TerCounter::Shift::operator>(const Shift& other) const {
  return std::tuple(gain, length, other.from, other.to) >
         std::tuple(other.gain, other.length, from, to);
}

std::int32_t TerCounter::edits(Words hypothesis, Words reference) {
  words_.assign(hypothesis.begin(), hypothesis.end());
  if (reference.empty()) return static_cast<std::int32_t>(words_.size());
  std::size_t tried = 0;
  for (std::int32_t shifts = 0;; ++shifts) {
    const std::int32_t rest = distance(words_, reference, 0, costs_, &table_);
    align(reference.size());
    Shift best{};
    if (!find_shift(reference, best, tried) || tried >= kMostShifts || best.gain <= 0)
      return shifts + rest;
    move_block(words_, best.from, static_cast<std::size_t>(best.length), best.to);
  }
}

bool TerCounter::find_shift(Words reference, Shift& best, std::size_t& tried) {
  bool found = false;
  for (std::size_t from = 0; from < words_.size(); ++from)
    for (std::size_t match = 0; match < reference.size(); ++match) {
      if ((from > match ? from - match : match - from) > kFurthestShift) continue;
      bool wrong = false, missed = false;
      for (std::size_t length = 1; length <= kLongestShift && from + length <= words_.size() &&
                                   match + length <= reference.size();
           ++length) {
        if (words_[from + length - 1] != reference[match + length - 1]) break;
        wrong |= wrong_[from + length - 1];
        missed |= missed_[match + length - 1];
        const std::int64_t there = place_[match] - static_cast<std::int64_t>(from);
        if (!wrong || !missed || (there >= 0 && there < static_cast<std::int64_t>(length)))
          continue;
        // Behind the word before the match, and behind each but the last word of it.
        std::size_t last = words_.size() + 1;
        for (std::size_t i = match; i <= match + length; ++i) {
          const auto to = i == 0 ? std::size_t{0} : static_cast<std::size_t>(place_[i - 1] + 1);
          if (to == last) continue;
          try_shift(reference, from, static_cast<std::int32_t>(length), last = to, found, best);
          ++tried;
        }
        if (tried >= kMostShifts) return found;
      }
    }
  return found;
}

void TerCounter::try_shift(Words reference, std::size_t from, std::int32_t length, std::size_t to,
                           bool& found, Shift& best) {
  shifted_ = words_;
  move_block(shifted_, from, static_cast<std::size_t>(length), to);
  // The rows of words before both places are those of the current words.
  const std::size_t first = std::min(from, to), width = reference.size() + 1;
  trial_.resize(costs_.size());
  std::copy_n(costs_.begin() + static_cast<std::ptrdiff_t>(first * width), width,
              trial_.begin() + static_cast<std::ptrdiff_t>(first * width));
  const Shift shift{costs_.back() - distance(shifted_, reference, first, trial_, nullptr), length,
                    from, to};
  if (!found || shift > best) best = shift;
  found = true;
}

std::int32_t TerCounter::distance(Words hypothesis, Words reference, std::size_t first,
                                  std::vector<std::int32_t>& costs,
                                  std::vector<Edit>* edits) const {
  const std::size_t width = reference.size() + 1;
  costs.resize((hypothesis.size() + 1) * width);
  if (edits != nullptr) edits->assign(costs.size(), Edit::kNone);
  if (first == 0)
    for (std::size_t j = 0; j < width; ++j) {
      costs[j] = static_cast<std::int32_t>(j);
      if (edits != nullptr) (*edits)[j] = Edit::kInsert;
    }
  const Beam beam(hypothesis.size(), reference.size());
  for (std::size_t i = first + 1; i <= hypothesis.size(); ++i) {
    std::int32_t* const row = costs.data() + i * width;
    const std::int32_t* const above = row - width;
    std::fill_n(row, width, kFar);
    const auto [low, high] = beam.row(static_cast<std::int64_t>(i));
    for (auto j = static_cast<std::size_t>(low); j < static_cast<std::size_t>(high); ++j) {
      // Of equally cheap edits, a match or substitution comes before a deletion, and this before an
      // insertion.
      const bool same = j > 0 && hypothesis[i - 1] == reference[j - 1];
      std::int32_t cost = j > 0 ? above[j - 1] + !same : kFar;
      Edit edit = same ? Edit::kMatch : Edit::kSubstitute;
      if (above[j] + 1 < cost) cost = above[j] + 1, edit = Edit::kDelete;
      if (j > 0 && row[j - 1] + 1 < cost) cost = row[j - 1] + 1, edit = Edit::kInsert;
      row[j] = std::min(cost, kFar);
      if (edits != nullptr) (*edits)[i * width + j] = edit;
    }
  }
  return costs.back();
}

void TerCounter::align(std::size_t reference_length) {
  wrong_.assign(words_.size(), true);
  missed_.assign(reference_length, true);
  place_.assign(reference_length, -1);
  for (std::size_t i = words_.size(), j = reference_length; i > 0 || j > 0;) {
    const Edit edit = i == 0   ? Edit::kInsert
                      : j == 0 ? Edit::kDelete
                               : table_[i * (reference_length + 1) + j];
    const bool moves_i = edit != Edit::kInsert, moves_j = edit != Edit::kDelete;
    if (moves_j)
      place_[j - 1] = static_cast<std::int64_t>(i) -
                      1;  // of the word itself, or of the one that it is missing behind
    if (edit == Edit::kMatch) wrong_[i - 1] = missed_[j - 1] = false;
    i -= moves_i;
    j -= moves_j;
  }
}

}  // namespace demotic
