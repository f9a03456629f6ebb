#include "learn/line_loops.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/wide.hpp"

namespace demotic::line_loops {
namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

// Four at once: compilers find this for sums, but not where something is chosen. They take two and
// two where registers are short.
constexpr std::size_t kLanes = 4;
using Four = double __attribute__((vector_size(kLanes * sizeof(double))));
using FourAnswers = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));

}  // namespace

DEMOTIC_WIDE void add(std::span<double> sums, const Product& product) {
  const auto [values, factor] = product;
  double* const out = sums.data();
  for (std::size_t i = 0; i < sums.size(); ++i) out[i] += values[i] * factor;
}

DEMOTIC_WIDE void add(std::span<double> sums, const std::array<Product, 4>& products) {
  const auto [a, b, c, d] = products;
  double* const out = sums.data();
  for (std::size_t i = 0; i < sums.size(); ++i)
    out[i] =
        (((out[i] + a.values[i] * a.factor) + b.values[i] * b.factor) + c.values[i] * c.factor) +
        d.values[i] * d.factor;
}

DEMOTIC_WIDE Extent extent(std::span<const double> values) {
  Extent result{values[0], values[0]};
  Four least = {values[0], values[0], values[0], values[0]}, greatest = least, some;
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    std::memcpy(&some, values.data() + i, sizeof some);
    least = some < least ? some : least;
    greatest = some > greatest ? some : greatest;
  }
  for (std::size_t k = 0; k < kLanes; ++k)
    result = {std::min(result.least, least[k]), std::max(result.greatest, greatest[k])};
  for (; i < values.size(); ++i)
    result = {std::min(result.least, values[i]), std::max(result.greatest, values[i])};
  return result;
}

DEMOTIC_WIDE Heights heights(std::span<const double> slopes, std::span<const double> intercepts,
                             Extent of) {
  Heights result{kLowest, kLowest};
  const Four lowest = {kLowest, kLowest, kLowest, kLowest};
  Four first = lowest, last = lowest, slope, height;
  std::size_t i = 0;
  for (; i + kLanes <= slopes.size(); i += kLanes) {
    std::memcpy(&slope, slopes.data() + i, sizeof slope);
    std::memcpy(&height, intercepts.data() + i, sizeof height);
    const Four low = slope == of.least ? height : lowest,
               high = slope == of.greatest ? height : lowest;
    first = low > first ? low : first;
    last = high > last ? high : last;
  }
  for (std::size_t k = 0; k < kLanes; ++k)
    result = {std::max(result.first, first[k]), std::max(result.last, last[k])};
  for (; i < slopes.size(); ++i) {
    if (slopes[i] == of.least) result.first = std::max(result.first, intercepts[i]);
    if (slopes[i] == of.greatest) result.last = std::max(result.last, intercepts[i]);
  }
  return result;
}

DEMOTIC_WIDE std::size_t unhidden(std::span<const double> slopes,
                                  std::span<const double> intercepts, Place a, Place b,
                                  std::span<std::uint32_t, kMostLines> numbers) {
  std::size_t count = 0;
  constexpr std::size_t kBlock = 4 * kLanes;
  Four slope, height;
  for (std::size_t begin = 0; begin < slopes.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, slopes.size());
    if (end == begin + kBlock) {  // most lines are hidden: are all of these?
      FourAnswers any = {0, 0, 0, 0};
      for (std::size_t i = begin; i < end; i += kLanes) {
        std::memcpy(&slope, slopes.data() + i, sizeof slope);
        std::memcpy(&height, intercepts.data() + i, sizeof height);
        any |= ~((height + slope * a.at < a.least) & (height + slope * b.at < b.least));
      }
      if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
    }
    for (std::size_t i = begin; i < end; ++i) {
      numbers[count] = static_cast<std::uint32_t>(i);  // without branches
      count += static_cast<std::size_t>(!(intercepts[i] + a.at * slopes[i] < a.least)) |
               static_cast<std::size_t>(!(intercepts[i] + b.at * slopes[i] < b.least));
    }
  }
  return count;
}

}  // namespace demotic::line_loops
