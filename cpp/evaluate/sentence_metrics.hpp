// BLEU of one sentence: pure functions of its n-gram statistics. All are between 0 and 1, higher is
// better, and a hypothesis without a word scores 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace demotic {

constexpr std::size_t kBleuOrder = 4;

// What BLEU needs to know of a hypothesis or, added up, of a corpus. Entry n - 1 is for n-grams.
template <class Count>
struct BleuCounts {
  std::array<Count, kBleuOrder>
      matches{};  // n-grams found in a reference, clipped (Papineni et al. 2002)
  std::array<Count, kBleuOrder> totals{};  // n-grams of the hypothesis
  Count hypothesis_length{};
  Count reference_length{};  // of the reference closest in length, the shorter of two

  template <class Other>
  BleuCounts& operator+=(const BleuCounts<Other>& other) {
    for (std::size_t i = 0; i < kBleuOrder; ++i) {
      matches[i] += static_cast<Count>(other.matches[i]);
      totals[i] += static_cast<Count>(other.totals[i]);
    }
    hypothesis_length += static_cast<Count>(other.hypothesis_length);
    reference_length += static_cast<Count>(other.reference_length);
    return *this;
  }
  bool operator==(const BleuCounts&) const = default;
};

// One sentence; in arrays, a row of kBleuColumns integers.
using BleuStatistics = BleuCounts<std::int32_t>;
constexpr std::size_t kBleuColumns = 2 * kBleuOrder + 2;
static_assert(sizeof(BleuStatistics) == kBleuColumns * sizeof(std::int32_t));
// A sum that fades, or a corpus too large for 32 bits.
using BleuSums = BleuCounts<double>;
static_assert(sizeof(BleuSums) == kBleuColumns * sizeof(double));

// `more`: words by which references count as longer.
template <class Count>
double brevity_penalty(const BleuCounts<Count>& counts, double more = 0) {
  if (counts.hypothesis_length <= 0) return 0;
  return std::exp(std::min(0.0, 1 - (static_cast<double>(counts.reference_length) + more) /
                                        static_cast<double>(counts.hypothesis_length)));
}

// Geometric mean of the precisions of orders 1 .. kBleuOrder after adding `smoothing(n)` to matches
// and totals of order n.
template <class Count, class Smoothing>
double mean_precision(const BleuCounts<Count>& counts, Smoothing smoothing) {
  double product = 1;
  for (std::size_t n = 1; n <= kBleuOrder; ++n) {
    const double total = static_cast<double>(counts.totals[n - 1]) + smoothing(n);
    if (total <= 0) return 0;
    product *= (static_cast<double>(counts.matches[n - 1]) + smoothing(n)) / total;
  }
  return std::sqrt(std::sqrt(product));
}

// BLEU without smoothing (Papineni et al. 2002).
template <class Count>
double bleu(const BleuCounts<Count>& counts) {
  return brevity_penalty(counts) * mean_precision(counts, [](std::size_t) { return 0.0; });
}

// Liang et al. (2006): sum over n of BLEU_n / 2^(4 - n + 1), where BLEU_n takes in the orders up to
// n. At most 15/16.
template <class Count>
double liang_bleu(const BleuCounts<Count>& counts) {
  double sum = 0, logs = 0, weight = std::ldexp(1.0, -static_cast<int>(kBleuOrder));
  for (std::size_t n = 1; n <= kBleuOrder && counts.matches[n - 1] > 0; ++n, weight *= 2) {
    logs += std::log(static_cast<double>(counts.matches[n - 1]) /
                     static_cast<double>(counts.totals[n - 1]));
    sum += weight * std::exp(logs / static_cast<double>(n));
  }
  return sum * brevity_penalty(counts);
}

// Lin and Och (2004): one is added to matches and totals of the orders above 1.
template <class Count>
double bleu_plus_one(const BleuCounts<Count>& counts) {
  return brevity_penalty(counts) *
         mean_precision(counts, [](std::size_t n) { return n > 1 ? 1.0 : 0.0; });
}

// Nakov, Guzman and Vogel (2012): BLEU+1 favours short hypotheses, since adding one raises the
// precisions and leaves the brevity penalty alone. So one is added to the reference length too
// (smoothed), and from the precision, which has one added at every order, that of a hypothesis of
// the same length without any match is taken away (grounded).
template <class Count>
double nakov_bleu(const BleuCounts<Count>& counts) {
  const auto one = [](std::size_t) { return 1.0; };
  BleuCounts<Count> none = counts;
  none.matches = {};
  return brevity_penalty(counts, 1.0) * (mean_precision(counts, one) - mean_precision(none, one));
}

// Chiang, Marton and Resnik (2008): BLEU of the sentence as the last one of a document.
template <class Count>
double pseudo_document_bleu(const BleuSums& document, const BleuCounts<Count>& counts) {
  BleuSums sum = document;
  return bleu(sum += counts);
}

// One of these, chosen at run time.
struct SentenceBleu {
  enum class Kind : std::uint8_t { kLiang, kPlusOne, kNakov, kPseudoDocument };
  Kind kind;
  BleuSums document;  // of kPseudoDocument

  template <class Count>
  double operator()(const BleuCounts<Count>& counts) const {
    switch (kind) {
      case Kind::kLiang:
        return liang_bleu(counts);
      case Kind::kPlusOne:
        return bleu_plus_one(counts);
      case Kind::kNakov:
        return nakov_bleu(counts);
      default:
        return pseudo_document_bleu(document, counts);
    }
  }
};

}  // namespace demotic
