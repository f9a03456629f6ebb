// Online feature grouping: algorithm 2 of Liu, Zhao, Watanabe and Sumita (2013), forward-backward
// splitting (FOBOS, Duchi and Singer 2009).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/oscar.hpp"

namespace demotic {

// Tuples <f, e', e*> as sparse rows: features of the better translation e* less those of the worse
// e'.
struct TupleRows {
  std::span<const std::int64_t> begins;  // rows + 1
  std::span<const std::int32_t> features;
  std::span<const float> values;  // beside them

  std::size_t size() const { return begins.empty() ? 0 : begins.size() - 1; }
  void check(std::size_t width)
      const;  // throws Error where a row lies outside the arrays, or a feature outside the width
};

struct GroupingCounts {
  std::uint64_t steps = 0, updates = 0, proximal_steps = 0;
  double loss = 0;  // sum over steps of the hinge, each before its update
};

// Weights by feature; free ones (dense features) are not penalised.
//
// For tuple number t the forward step is  w <- w + x / t  where the hinge (1 - <w, x>)+ is not 0, x
// = H(e*) - H(e'). The paper's line 4 adds H(e') - H(e*), the gradient of the loss, which would
// maximise it; this is the descent. The backward step is the proximal operator with 1 / (t + 1), as
// printed in line 5: FOBOS allows steps between eta_t and eta_{t+1} for it.
//
// The backward steps of up to lag x t tuples are taken at once, with the sum of their sizes: at
// most about `lag` times the penalty is owed at any time. So n tuples need O(log(n) / lag) proximal
// steps instead of n; with lag = 0 each tuple has its own.
class OnlineGrouping {
 public:
  // `weights` and `is_free` live as long as this and are of the same size.
  OnlineGrouping(std::span<double> weights, std::span<const std::uint8_t> is_free,
                 OscarPenalty penalty, double lag);

  // Takes the rows in the order given; the first is tuple number `t` (from 1). Ends with a backward
  // step.
  GroupingCounts learn(const TupleRows& tuples, std::span<const std::int64_t> order,
                       std::uint64_t t);
  // One backward step by itself.
  void shrink(double step);

 private:
  double margin(const TupleRows& tuples, std::size_t row) const;
  void forward(const TupleRows& tuples, std::size_t row, double step);

  std::span<double> weights_;
  std::span<const std::uint8_t> is_free_;
  OscarProx prox_;
  double lag_;
  std::vector<std::uint32_t> active_;    // penalised features that may have a weight
  std::vector<std::uint8_t> is_active_;  // by feature
  std::vector<double> values_;           // of the active ones
};

}  // namespace demotic
