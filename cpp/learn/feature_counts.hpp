// How often the rules that have a feature were seen when rules were extracted: what conditioning
// divides by.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/hypergraph.hpp"
#include "features/feature_index.hpp"

namespace demotic {

// Rules are extracted sentence by sentence, so there is no list of all rules to count in. The count
// of a feature in a sentence is the sum of c(f, e) over the rules of the sentence's grammar that
// have it: for the feature of a rule itself the rule's count, for others what this sentence has to
// do with. The largest over the sentences so far is kept.
class FeatureCounts {
 public:
  // Counts in the grammar that a graph was made with, for features that are in the index.
  void observe(const Hypergraph& graph, const FeatureIndex& index);

  // 0: a feature of no rule so far, as dense ones are.
  double operator[](FeatureId id) const { return id < counts_.size() ? counts_[id] : 0; }

 private:
  void add(FeatureId id, float count);

  std::vector<float> counts_,
      sums_;  // by id; the sums are those of the current sentence, 0 between calls
  std::vector<FeatureId> touched_;  // of the current sentence
};

}  // namespace demotic
