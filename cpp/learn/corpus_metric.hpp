// Corpus-level metrics as functions of statistics that add up over sentences.
#pragma once

#include <cstdint>
#include <span>

namespace demotic {

// A weighted sum of BLEU, from the columns of BleuStatistics, and of 1 - TER, from those of TerStatistics behind them. Higher is
// better; 1 is the best of both, and 1 - TER can be below 0.
struct CorpusMetric {
  double bleu = 1, ter = 0;

  std::size_t columns() const;
  double operator()(std::span<const std::int64_t> sums) const;
};

// As sacrebleu: the k-th order without a match counts 1 / 2^k matches.
double corpus_bleu(std::span<const std::int64_t> sums);

}  // namespace demotic
