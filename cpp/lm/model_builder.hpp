// From a list of n-grams to a model that can be queried.
#pragma once

#include "lm/model.hpp"
#include "lm/ngrams.hpp"

namespace demotic {

class ModelBuilder {
 public:
  ModelBuilder();
  ~ModelBuilder();

  // Suffixes and contexts must be complete, as Estimator and ArpaReader make them. With `use_up`,
  // the n-grams are freed on the way. The memory of the model that was built before is used again
  // if that model is gone.
  Model build(Ngrams& ngrams, bool use_up);

 private:
  struct Storage;
  struct Scratch;
  std::shared_ptr<Storage> storage_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace demotic
