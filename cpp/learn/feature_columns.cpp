#include "learn/feature_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "features/feature_kind.hpp"
#include "features/packed_weights.hpp"

namespace demotic {
namespace {

std::uint64_t share_of(std::ptrdiff_t columns, double share) {
  return std::max<std::uint64_t>(1, std::llround(share * static_cast<double>(columns)));
}

}  // namespace

ColumnNorm column_norm(std::string_view name) {
  constexpr std::pair<std::string_view, ColumnNorm> kNames[] = {{"l0", ColumnNorm::kL0},
                                                                {"l1", ColumnNorm::kL1},
                                                                {"l2", ColumnNorm::kL2},
                                                                {"linf", ColumnNorm::kLInfinity}};
  for (const auto& [known, norm] : kNames)
    if (known == name) return norm;
  throw Error("unknown norm '" + std::string(name) + "'", "choose l2, l1, l0 or linf");
}

FeatureColumns::Column& FeatureColumns::column(std::string_view feature) {
  const FeatureId id = index_.intern(feature);
  if (id == columns_.size()) columns_.emplace_back();
  return columns_[id];
}

void FeatureColumns::begin(std::string_view packed) {
  if (shards_ > 0) throw Error("initial weights come before those of the shards");
  for_each_weight(packed,
                  [&](std::string_view name, double weight) { column(name).initial = weight; });
}

void FeatureColumns::add(std::string_view packed, double share) {
  if (!(share >= 0) || !std::isfinite(share))
    throw range_error("the share of a shard", "at least 0", share);
  for_each_weight(packed, [&](std::string_view name, double weight) {
    Column& column = this->column(name);
    ++column.listed;
    column.unchanged += weight == column.initial;
    column.sum += share * weight;
    column.squares += weight * weight;
    column.magnitudes += std::abs(weight);
    column.largest = std::max(column.largest, std::abs(weight));
    column.count += weight != 0;
  });
  ++shards_;
  shares_ += share;
}

double FeatureColumns::norm(const Column& column, ColumnNorm norm) {
  switch (norm) {
    case ColumnNorm::kL0:
      return column.count;
    case ColumnNorm::kL1:
      return column.magnitudes;
    case ColumnNorm::kL2:
      return std::sqrt(column.squares);
    default:
      return column.largest;
  }
}

double FeatureColumns::norm(std::string_view feature, ColumnNorm wanted) const {
  const auto id = index_.find(feature);
  return id ? norm(columns_[*id], wanted) : 0;
}

std::vector<FeatureId> FeatureColumns::selected(const Selection& selection) const {
  std::vector<FeatureId> ids(columns_.size());
  std::iota(ids.begin(), ids.end(), FeatureId{0});
  std::erase_if(ids, [&](FeatureId id) {
    return norm(columns_[id], ColumnNorm::kL2) == 0 &&
           !(selection.keep_dense && is_dense(index_.name(id)));
  });
  const auto middle =
      selection.keep_dense
          ? std::stable_partition(ids.begin(), ids.end(),
                                  [&](FeatureId id) { return is_dense(index_.name(id)); })
          : ids.begin();
  const std::uint64_t k =
      selection.share > 0 ? share_of(ids.end() - middle, selection.share) : selection.k;
  ids.erase(std::remove_if(middle, ids.end(),
                           [&](FeatureId id) {
                             return norm(columns_[id], selection.norm) < selection.threshold;
                           }),
            ids.end());
  const auto kept = static_cast<std::size_t>(middle - ids.begin());  // these do not count against k
  if (k > 0 && ids.size() - kept > k) {
    const auto end = middle + static_cast<std::ptrdiff_t>(k);
    std::nth_element(middle, end, ids.end(), [&](FeatureId a, FeatureId b) {
      const double norm_a = norm(columns_[a], selection.norm),
                   norm_b = norm(columns_[b], selection.norm);
      return norm_a != norm_b ? norm_a > norm_b : index_.name(a) < index_.name(b);
    });
    ids.erase(end, ids.end());
  }
  return ids;
}

double FeatureColumns::mean(const Column& column, bool over_changed) const {
  if (!over_changed) return column.sum / shares_;
  const auto shards = static_cast<double>(shards_);
  // A shard that does not list a feature has the weight 0 for it.
  const std::uint64_t absent = shards_ - column.listed;
  const std::uint64_t unchanged = column.unchanged + (column.initial == 0 ? absent : 0);
  if (unchanged == shards_) return column.initial;
  return column.initial +
         (column.sum - shards * column.initial) / static_cast<double>(shards_ - unchanged);
}

std::string FeatureColumns::select(const Selection& selection) const {
  if (shards_ == 0) throw Error("no shard has sent its weights");
  if (!(selection.threshold >= 0) || !(selection.shrinkage >= 0))
    throw Error("the threshold and the shrinkage of feature columns must be at least 0");
  if (!(selection.share >= 0 && selection.share <= 1))
    throw range_error("the share of feature columns", "between 0 and 1", selection.share);
  if (!(shares_ > 0)) throw Error("all shards count nothing");
  std::vector<NamedWeight> result;
  for (const FeatureId id : selected(selection)) {
    const Column& column = columns_[id];
    const double length = norm(column, ColumnNorm::kL2);
    const bool is_shrunk =
        selection.shrinkage > 0 && !(selection.keep_dense && is_dense(index_.name(id)));
    const double scale = is_shrunk ? std::max(0.0, 1 - selection.shrinkage / length) : 1;
    const double mean = scale * this->mean(column, selection.over_changed);
    if (mean != 0 || selection.zeros || (selection.keep_dense && is_dense(index_.name(id))))
      result.push_back({index_.name(id), mean});
  }
  return pack(std::move(result));
}

}  // namespace demotic
