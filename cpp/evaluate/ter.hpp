// Translation edit rate: insertions, deletions, substitutions and shifts of blocks of words (Snover
// et al. 2006).
//
// Finding the fewest edits with shifts is hard, so shifts are chosen greedily. Which shifts are
// tried, in which order, and the limits are those of tercom as sacrebleu has them: the numbers of
// edits are sacrebleu's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace demotic {

// In units of 1/kTerUnit word, in which the mean length of up to eight references is a whole
// number. Rows add up over sentences.
struct TerStatistics {
  std::int32_t edits = 0;             // to the reference that needs fewest
  std::int32_t reference_length = 0;  // mean over the references
};
constexpr std::int32_t kTerUnit = 840;  // lcm(1 .. 8)
constexpr std::size_t kTerColumns = 2;

// Edits from hypotheses to the references of one sentence; keeps its tables from one call to the
// next.
class TerCounter {
 public:
  // Words are numbers.
  explicit TerCounter(std::span<const std::vector<std::uint32_t>> references);

  TerStatistics operator()(std::span<const std::uint32_t> hypothesis);

 private:
  using Words = std::span<const std::uint32_t>;
  enum class Edit : std::uint8_t { kNone, kMatch, kSubstitute, kDelete, kInsert };
  struct Shift {
    std::int32_t gain, length;
    std::size_t from, to;

    // The larger gain, then the longer block, then the earlier one, then the earlier place.
    bool operator>(const Shift& other) const;
  };

  std::int32_t edits(Words hypothesis, Words reference);
  // The best shift of the current words, if one was tried; `tried` counts them over all rounds.
  bool find_shift(Words reference, Shift& best, std::size_t& tried);
  void try_shift(Words reference, std::size_t from, std::int32_t length, std::size_t to,
                 bool& found, Shift& best);
  // Fills the rows of the table after `first`; the distance.
  std::int32_t distance(Words hypothesis, Words reference, std::size_t first,
                        std::vector<std::int32_t>& costs, std::vector<Edit>* edits) const;
  // From the table of the current words: the place of each reference word among them, and which
  // words are not matched.
  void align(std::size_t reference_length);

  std::span<const std::vector<std::uint32_t>> references_;
  std::int32_t mean_length_;
  std::vector<std::uint32_t> words_,
      shifted_;  // the hypothesis as it stands, and a shift that is tried
  std::vector<std::int32_t> costs_,
      trial_;  // tables of both: a row per word, a column per reference word
  std::vector<Edit> table_;
  std::vector<std::int64_t> place_;
  std::vector<bool> wrong_, missed_;  // words of the hypothesis, of the reference
};

}  // namespace demotic
