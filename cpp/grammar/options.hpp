// How rules are extracted. Defaults are those of cdec's extractor, on which the papers stand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace demotic {

constexpr int kMaxSymbols = 8;  // an alignment is a row of bits per source symbol
constexpr std::uint32_t kFewSamples =
    300;  // up to here sampling is for speed, and scans are limited; larger samples only limit

struct ExtractOptions {
  int max_span =
      15;  // longest source and target span of a rule in the corpus, in words; at most 16
  int max_symbols = 5;              // terminals and nonterminals of a source side; at most 8
  int max_nonterminals = 2;         // at most 2
  int min_gap = 1;                  // words that a nonterminal covers at least
  std::uint32_t max_samples = 300;  // occurrences of a pattern looked at; 0: all
  // With samples of at most kFewSamples: patterns of three chunks are looked for among this many
  // occurrences of their rarest chunk, those of two among eight times as many; 0: among all. The
  // former are the most numerous and the least frequent; without a limit they cost half the time
  // and bring 1% more rules.
  std::uint32_t scan_limit = 2048;
  std::uint32_t max_targets = 0;  // target sides kept per source side, best p(e|f) first; 0: all
  bool lexical_mask = true;       // excluded sentences leave the lexical counts too
  std::size_t cache_bytes = std::size_t{1024}
                            << 20;  // finished patterns kept for the next sentences; 0: none

  // The scan limit that applies to patterns of two or three chunks; 0: none.
  std::uint64_t scan_limit_of(int chunks) const {
    constexpr std::uint64_t kPairFactor = 8;
    if (max_samples == 0 || max_samples > kFewSamples) return 0;
    return chunks == 2 ? kPairFactor * scan_limit : scan_limit;
  }

  // Throws Error for values outside their range.
  void check() const;
};

}  // namespace demotic
