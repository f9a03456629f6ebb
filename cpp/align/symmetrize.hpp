// Two directional alignments of a sentence pair into one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/bitext.hpp"

namespace demotic {

// Heuristics of Och and Ney (2003) and Koehn, Och and Marcu (2003).
enum class Heuristic {
  kIntersection,
  kUnion,
  kGrow,
  kGrowDiag,
  kGrowDiagFinal,
  kGrowDiagFinalAnd,
  kOch,
  kSourceTarget,
  kTargetSource,
};

// "grow-diag-final-and" and so on; throws Error for other names.
Heuristic heuristic_by_name(const std::string& name);

// `by_target`: for each target word the position of its source word, or kNoLink; `by_source`:
// the other way round. Links sorted by source, then target.
std::vector<Link> symmetrize(std::span<const std::uint16_t> by_target,
                             std::span<const std::uint16_t> by_source, Heuristic heuristic);

}  // namespace demotic
