// How often the target side of a rule stands in the corpus: the denominator of p(f|e).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/indexed_text.hpp"
#include "grammar/mask.hpp"
#include "grammar/options.hpp"
#include "grammar/rules_of_occurrence.hpp"

namespace demotic {

// In one part of the index. Where a target side was looked for does not depend on the mask, so what
// was found is kept for the next sentences and only counted again for each mask.
class TargetCounts {
 public:
  TargetCounts(const IndexedText& text, std::size_t part, const ExtractOptions& options)
      : text_(text), part_(part), options_(options) {}

  // From here on, for this mask.
  void start(const Mask* mask);

  // Occurrences of `target` without the nonterminals at its ends, within max_span words. With
  // sampling, at most max_samples occurrences of the rarest chunk are looked at and the count is
  // extrapolated. A function of mask and arguments alone.
  double count(std::span<const Symbol> target);

 private:
  struct Chunk {
    std::span<const Symbol> words;
    std::uint32_t gap;  // words before it that nonterminals cover at least: min_gap each
    SuffixRange range;
  };
  struct Sightings {                    // of a target side
    double count = 0;                   // under the mask of `turn`
    std::uint32_t turn = 0;             // 0: not counted yet
    std::uint32_t all = 0, visits = 0;  // occurrences of its rarest chunk, and those looked at
    bool is_listed = false;
    std::vector<std::uint32_t>
        places;  // of that chunk, one for each way to place the others around it
  };
  using Known = std::unordered_map<std::string, Sightings>;

  void split(std::span<const Symbol> target);
  Known::iterator find_or_add();
  void locate();
  void list(Sightings& seen);
  SuffixRange find(std::span<const Symbol> words) const;
  bool stands_at(std::uint32_t position, std::span<const Symbol> words) const;
  // Ways to place the chunks from number c on, where what comes before them ends at `end` and the
  // rule begins at `begin`.
  std::uint32_t placements(std::size_t c, std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t placements_around_anchor() const;

  const IndexedText& text_;
  const std::size_t part_;
  const ExtractOptions& options_;
  const PositionSet* masked_ = nullptr;
  std::uint64_t mask_id_ = 0;  // 0: none, or one that is used once
  std::uint32_t turn_ = 1;     // counts changes of the mask
  // By words and gaps. What was used since the last exchange is in the first; when it is full, the
  // second is forgotten and the first takes its place.
  Known recent_, older_;
  std::size_t recent_bytes_ = 0;
  std::string key_;
  std::vector<Chunk> chunks_;
  std::size_t anchor_ = 0;             // the rarest chunk
  std::uint32_t anchor_position_ = 0;  // where it stands at the moment
};

}  // namespace demotic
