// Posteriors of the links of one sentence under fixed parameters, by Gibbs sampling.
#pragma once

#include <cstdint>
#include <vector>

#include "align/model.hpp"
#include "align/posteriors.hpp"

namespace demotic {

// One direction of a sentence pair with what its parameters say. Words are ids; the size of the
// vocabulary stands for an unknown word.
struct DirectedSentence {
  std::vector<WordId> given;
  std::vector<float> null;               // weight of NULL for each own word
  std::vector<std::uint32_t> starts{0};  // of the candidates of each own word
  std::vector<std::uint16_t> positions;
  std::vector<float> words;  // p(own word | given word) of each candidate
};

// `samples`: sweeps whose posteriors are averaged.
DirectedPosteriors infer(const DirectedSentence& sentence, const DirectionView& parameters,
                         int samples = 28);

}  // namespace demotic
