#include "learn/learnable_features.hpp"

#include <string>

#include "base/error.hpp"
#include "features/feature_kind.hpp"

namespace demotic {

Learnable learnable(std::string_view name) {
  if (name == "all") return Learnable::kAll;
  if (name == "dense") return Learnable::kDense;
  if (name == "sparse") return Learnable::kSparse;
  throw Error("learn must be all, dense or sparse (got '" + std::string(name) + "')");
}

void LearnableFeatures::classify(const FeatureIndex& index) {
  for (auto id = static_cast<FeatureId>(is_dense_.size()); id < index.size(); ++id) {
    is_dense_.push_back(demotic::is_dense(index.name(id)));
    if (is_dense_.back()) dense_.push_back(id);
  }
}

}  // namespace demotic
