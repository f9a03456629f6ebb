// The loops of line search over all hypotheses of a sentence: where MERT spends its time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace demotic::line_loops {

struct Product {
  const double* values;
  double factor;
};
// Adds factor times values to every number, or four such products from the first to the last.
void add(std::span<double> sums, const Product& product);
void add(std::span<double> sums, const std::array<Product, 4>& products);

struct Extent {
  double least, greatest;
};
// Of at least one value.
Extent extent(std::span<const double> values);

// The highest of the lines with the least and of those with the greatest slope.
struct Heights {
  double first, last;
};
Heights heights(std::span<const double> slopes, std::span<const double> intercepts, Extent of);

// Lines that are lower than `least` there are hidden there.
struct Place {
  double at, least;
};
constexpr std::size_t kMostLines = 256;
// Lines, at most kMostLines, that are not hidden at both places: writes their numbers and returns
// how many they are.
std::size_t unhidden(std::span<const double> slopes, std::span<const double> intercepts, Place a,
                     Place b, std::span<std::uint32_t, kMostLines> numbers);

}  // namespace demotic::line_loops
