#include "decode/feature_rows.hpp"

#include <algorithm>
#include <numeric>

#include "base/probe_table.hpp"

namespace demotic {
namespace {

struct Entry {
  std::uint32_t row;
  double value;
};

// The entries by column: each different feature is one, by rising number.
struct Columns {
  Columns(const std::vector<std::uint64_t>& row_begins, const std::vector<std::uint32_t>& features,
          const std::vector<double>& values);

  std::vector<std::uint32_t> features;  // of each column
  std::vector<std::uint32_t> ends;      // of each column in entries
  std::vector<Entry> entries;           // of a column in the order of rows, and within a row
};

Columns::Columns(const std::vector<std::uint64_t>& row_begins,
                 const std::vector<std::uint32_t>& all, const std::vector<double>& values)
    : entries(all.size()) {
  // Columns in order of appearance first.
  KeyTable<std::uint32_t> table;
  std::vector<std::uint32_t> column_of, found, sizes;
  column_of.reserve(all.size());
  for (const std::uint32_t feature : all) {
    const auto [column, is_new] = table.insert(feature, static_cast<std::uint32_t>(found.size()));
    column_of.push_back(*column);
    if (is_new) {
      found.push_back(feature);
      sizes.push_back(0);
    }
    ++sizes[column_of.back()];
  }
  std::vector<std::uint32_t> order(found.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t column) { return found[column]; });
  std::vector<std::uint32_t> next(found.size());  // free place of each column, by appearance
  std::uint32_t end = 0;
  for (const std::uint32_t column : order) {
    next[column] = end;
    features.push_back(found[column]);
    ends.push_back(end += sizes[column]);
  }
  for (std::uint32_t row = 0; row + 1 < row_begins.size(); ++row)
    for (std::size_t i = row_begins[row]; i < row_begins[row + 1]; ++i)
      entries[next[column_of[i]]++] = {row, values[i]};
}

}  // namespace

void sum_rows(std::vector<std::uint64_t>& row_begins, std::vector<std::uint32_t>& features,
              std::vector<double>& values) {
  if (row_begins.empty()) return;  // a list that nobody began
  const Columns columns(row_begins, features, values);
  // Rows become shorter, and are then moved together.
  std::vector<std::uint64_t> ends(row_begins.begin(), row_begins.end() - 1);
  for (std::size_t column = 0, i = 0; column < columns.features.size(); ++column)
    for (; i < columns.ends[column]; ++i) {
      const auto [row, value] = columns.entries[i];
      std::uint64_t& end = ends[row];
      if (end > row_begins[row] && features[end - 1] == columns.features[column]) {
        values[end - 1] += value;
      } else {
        features[end] = columns.features[column];
        values[end++] = value;
      }
    }
  std::uint64_t size = 0;
  for (std::size_t row = 0; row < ends.size(); ++row) {
    const std::uint64_t begin = row_begins[row];
    row_begins[row] = size;
    for (std::uint64_t i = begin; i < ends[row]; ++i, ++size) {
      features[size] = features[i];
      values[size] = values[i];
    }
  }
  row_begins.back() = size;
  features.resize(size);
  values.resize(size);
}

}  // namespace demotic
