// From a list of n-grams to a model that can be queried.
#pragma once

#include "lm/model.hpp"
#include "lm/ngrams.hpp"

namespace demotic {

// Suffixes and contexts must be complete, as estimate() and read_arpa() make them. `ngrams` is used up on the way.
Model build_model(Ngrams ngrams);

}  // namespace demotic
