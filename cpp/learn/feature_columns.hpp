// The matrix W of shards by features, reduced column by column as the shards arrive: mixing and
// joint feature selection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features/feature_index.hpp"

namespace demotic {

enum class ColumnNorm { kL0, kL1, kL2, kLInfinity };

// Throws Error with the known names.
ColumnNorm column_norm(std::string_view name);

// Memory is proportional to the distinct features, not to shards times features. The order of the
// shards is the order of the sums: add them always in the same one. A feature that a shard does not
// list has the weight 0 there.
class FeatureColumns {
 public:
  // The weights that all shards begin with, packed (features/packed_weights.hpp); before the first
  // shard. Only `over_changed` looks at them.
  void begin(std::string_view packed);
  // The weights of the next shard, packed; in means over all shards it counts `share` times.
  void add(std::string_view packed, double share = 1);

  std::uint64_t shards() const { return shards_; }
  std::size_t features() const { return index_.size(); }

  double norm(std::string_view feature, ColumnNorm norm) const;

  struct Selection {
    ColumnNorm norm = ColumnNorm::kL2;
    std::uint64_t k = 0;   // columns to keep; 0: any number
    double share = 0;      // instead of k: of the columns of a norm above 0; at least one
    double threshold = 0;  // least norm to be kept
    double shrinkage =
        0;  // group soft threshold: a column is scaled by (1 - shrinkage / ||column||_2)+
    bool keep_dense =
        false;           // features without a template are kept whatever their norm, and not shrunk
    bool zeros = false;  // list selected columns also where the result is 0
    // Average over the shards that changed a weight, instead of over all: a feature that two of
    // thirty shards have met moves as far as they moved it, not a fifteenth of that.
    bool over_changed = false;
  };
  // The mean over shards of the columns of largest norm, packed; ties by name. Columns of norm 0
  // are never selected.
  std::string select(const Selection& selection) const;

 private:
  struct Column {
    double sum = 0;  // of weight x share
    double squares = 0, magnitudes = 0, largest = 0;
    std::uint32_t count = 0;  // shards where it is not 0
    double initial = 0;
    std::uint32_t listed = 0, unchanged = 0;  // shards that list it; of these, with `initial`
  };
  Column& column(std::string_view feature);
  double mean(const Column& column, bool over_changed) const;
  static double norm(const Column& column, ColumnNorm norm);
  std::vector<FeatureId> selected(const Selection& selection) const;

  FeatureIndex index_;
  std::vector<Column> columns_;
  std::uint64_t shards_ = 0;
  double shares_ = 0;  // summed
};

}  // namespace demotic
