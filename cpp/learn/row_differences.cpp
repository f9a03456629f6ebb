#include "learn/row_differences.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "learn/local_numbering.hpp"

namespace demotic {
namespace {
constexpr double kCancelled = 1e-12;  // of a sum whose terms cancel, relative to their magnitudes
}

SparseVector combine_rows(const KBestList& list, std::span<const double> coefficients) {
  if (coefficients.size() != list.size())
    throw Error("expected a coefficient for each of " + std::to_string(list.size()) +
                " hypotheses (got " + std::to_string(coefficients.size()) + ")");
  const LocalNumbering numbering(list.features);
  struct Sum {
    double value = 0, magnitude = 0;  // of the terms
    double common = 0;                // the value in all rows so far, if it is the same
    std::uint32_t rows = 0;           // where it occurs
    bool varies = false;
  };
  std::vector<Sum> sums(numbering.size());
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (coefficients[i] == 0) continue;
    ++rows;
    for (std::size_t j = list.row_begins[i]; j < list.row_begins[i + 1]; ++j) {
      Sum& sum = sums[numbering[list.features[j]]];
      const double value = list.values[j];
      if (sum.rows++ == 0)
        sum.common = value;
      else
        sum.varies |= value != sum.common;
      sum.value += coefficients[i] * value;
      sum.magnitude += std::abs(coefficients[i] * value);
    }
  }
  SparseVector result;
  const auto ids = numbering.ids();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool cancels = std::abs(sums[i].value) <= kCancelled * sums[i].magnitude;
    if (cancels || (sums[i].rows == rows && !sums[i].varies)) continue;
    result.ids.push_back(ids[i]);
    result.values.push_back(sums[i].value);
  }
  return result;
}

}  // namespace demotic
