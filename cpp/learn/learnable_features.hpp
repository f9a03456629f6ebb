// Which weights a learner may change: all, those of dense features, or those of templates.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "features/feature_index.hpp"

namespace demotic {

enum class Learnable : std::uint8_t { kAll, kDense, kSparse };

// Throws Error with the known names.
Learnable learnable(std::string_view name);

class LearnableFeatures {
 public:
  explicit LearnableFeatures(Learnable learn) : learn_(learn) {}

  // Sorts what was added to the index since the last call into dense and sparse; until then it
  // counts as sparse.
  void classify(const FeatureIndex& index);

  Learnable learn() const { return learn_; }
  bool is_dense(FeatureId id) const { return id < is_dense_.size() && is_dense_[id] != 0; }
  bool operator[](FeatureId id) const {
    return learn_ == Learnable::kAll || is_dense(id) == (learn_ == Learnable::kDense);
  }
  std::span<const FeatureId> dense() const { return dense_; }  // ids of all dense features

 private:
  Learnable learn_;
  std::vector<std::uint8_t> is_dense_;  // by id
  std::vector<FeatureId> dense_;
};

}  // namespace demotic
