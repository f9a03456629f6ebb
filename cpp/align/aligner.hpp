// Word alignment of a corpus: both directions, several samplers each, links by the average of their
// posteriors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "align/options.hpp"
#include "align/symmetrize.hpp"
#include "corpus/bitext.hpp"

namespace demotic {

struct AlignedLinks {
  std::vector<Link> links;
  std::vector<float> probabilities;   // of each link
  std::vector<std::uint64_t> starts;  // of each pair
};

// (sweeps done, all sweeps); called from any thread.
using OnSweep = std::function<void(std::size_t, std::size_t)>;

// Aligns all pairs. The result depends on the text, the options and the seed, not on the threads.
// `model`: where to save what was learnt, for new pairs; empty: nowhere.
AlignedLinks align_corpus(const Bitext& text, const AlignerOptions& options, Heuristic heuristic,
                          std::uint64_t seed, unsigned threads, const std::string& model,
                          const OnSweep& on_sweep);

}  // namespace demotic
