// Rows of features as flat arrays, put in order: rising numbers, and each number once.
#pragma once

#include <cstdint>
#include <vector>

namespace demotic {

// Row i is features[row_begins[i]] up to row_begins[i + 1], with their values. Sorts every row and
// adds up the values of equal numbers, in their order. The rows of a list share most of their
// features, so it is the features of the whole list that are sorted, once, and not each row.
void sum_rows(std::vector<std::uint64_t>& row_begins, std::vector<std::uint32_t>& features,
              std::vector<double>& values);

}  // namespace demotic
