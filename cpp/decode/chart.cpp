#include "decode/chart.hpp"

#include <algorithm>

namespace demotic {

void Chart::reset(std::uint32_t words, std::uint32_t max_span, std::uint32_t labels,
                  std::uint32_t goal_label) {
  words_ = words;
  max_span_ = std::min(max_span, std::max(words, 1u));
  labels_ = labels;
  long_cells_ = words * max_span_ * labels;
  cells_.assign(long_cells_ + words + 1, Cell{});
  for (std::uint32_t begin = 0; begin < words; ++begin)
    for (std::uint32_t end = begin + 1; end <= std::min(words, begin + max_span_); ++end)
      for (std::uint32_t label = 0; label < labels; ++label)
        cells_[cell_id(begin, end, label)] = {static_cast<std::uint16_t>(begin),
                                              static_cast<std::uint16_t>(end),
                                              static_cast<std::uint16_t>(label)};
  for (std::uint32_t end = max_span_ + 1; end <= words; ++end)
    cells_[long_cells_ + end] = {0, static_cast<std::uint16_t>(end),
                                 static_cast<std::uint16_t>(goal_label)};
  items_.clear();
  edges_.clear();
  borders_.clear();
  further_states_.clear();
  further_lm_.clear();
}

}  // namespace demotic
