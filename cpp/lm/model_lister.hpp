// From a model back to the list of its n-grams, to be written as ARPA.
#pragma once

#include "lm/model.hpp"
#include "lm/ngrams.hpp"

namespace demotic {

// In suffix order: shorter ones first, then by the last word, the word before it, and so on. Throws
// Error when the tables of the model contradict each other.
Ngrams list_ngrams(const Model& model);

}  // namespace demotic
