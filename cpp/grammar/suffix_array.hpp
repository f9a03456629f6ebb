// The suffix array of a text of integer tokens, in linear time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace demotic {

// Start positions of all suffixes in lexicographic order; the end of the text comes before every
// token. Tokens must be below `alphabet`. Throws Error for texts of 2^31 tokens or more.
std::vector<std::uint32_t> suffix_array(std::span<const std::uint32_t> text,
                                        std::uint32_t alphabet);

}  // namespace demotic
