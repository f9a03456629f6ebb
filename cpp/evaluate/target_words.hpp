// Target sides of the rules of a forest, in the numbers of references.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/derivation.hpp"
#include "evaluate/references.hpp"

namespace demotic {

constexpr std::uint32_t kTailWords = 0xFFFFFFFFu;  // the words of the next tail stand here

// Of every rule of the forest.
std::vector<std::vector<std::uint32_t>> number_targets(const Forest& forest,
                                                       const References& references);

}  // namespace demotic
