// Models that leave one fold of the text out, from counts that were made once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lm/estimate.hpp"
#include "lm/model_builder.hpp"
#include "lm/model_file.hpp"

namespace demotic {

// One after the other in the same memory, which a system takes long to hand out. Several trainers
// may share the counts.
class FoldTrainer {
 public:
  FoldTrainer(const SuffixTrie& trie, const Vocab& vocab, std::vector<std::uint32_t> prune)
      : estimator_(trie, vocab, {std::move(prune), 1, false}) {}

  // Writes the model of all sentences but those of a fold. What is returned lives until the next
  // call.
  const Estimate& train(Fold without, const std::string& path) {
    estimator_.run(without, estimate_);
    write_model(builder_.build(estimate_.ngrams, false), path);
    return estimate_;
  }

 private:
  Estimator estimator_;
  Estimate estimate_;
  ModelBuilder builder_;
};

}  // namespace demotic
