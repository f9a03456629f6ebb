#include "learn/mira.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "learn/local_numbering.hpp"
#include "learn/simplex_qp.hpp"

namespace demotic {
namespace {

constexpr double kTolerance = 1e-9;  // of a violation, relative to the loss

// The differences between hope and the hypotheses of the set, and the step sizes that are best for
// them.
class ConstraintSet {
 public:
  ConstraintSet(const KBestList& list, const LearnableFeatures& learnable, std::size_t hope,
                double c)
      : list_(list),
        learnable_(learnable),
        hope_(hope),
        numbering_(list.features),
        alpha_{c},
        gains_{0},
        kernel_{0},
        differences_{std::vector<double>(numbering_.size())} {}

  // `gain`: how much the constraint is violated by the old weights.
  void add(std::size_t hypothesis, double gain) {
    std::vector<double> difference(numbering_.size());
    add_row(hope_, 1, difference);
    add_row(hypothesis, -1, difference);
    differences_.push_back(std::move(difference));
    hypotheses_.push_back(hypothesis);
    gains_.push_back(gain);
    alpha_.push_back(0);
    extend_kernel();
    solve_simplex_qp(gains_, kernel_, alpha_);
  }

  // (w' - w) . features of every hypothesis.
  std::vector<double> score_changes() const {
    std::vector<double> change(numbering_.size());
    for (std::size_t i = 1; i < alpha_.size(); ++i)
      for (std::size_t j = 0; j < change.size(); ++j) change[j] += alpha_[i] * differences_[i][j];
    std::vector<double> result(list_.size());
    for (std::size_t i = 0; i < list_.size(); ++i)
      for (std::size_t j = list_.row_begins[i]; j < list_.row_begins[i + 1]; ++j)
        result[i] += change[numbering_[list_.features[j]]] * list_.values[j];
    return result;
  }

  std::size_t size() const { return hypotheses_.size(); }
  bool has(std::size_t hypothesis) const {
    return std::ranges::find(hypotheses_, hypothesis) != hypotheses_.end();
  }

  std::vector<double> coefficients() const {
    std::vector<double> result(list_.size());
    for (std::size_t i = 0; i < hypotheses_.size(); ++i) {
      result[hypotheses_[i]] -= alpha_[i + 1];
      result[hope_] += alpha_[i + 1];
    }
    return result;
  }

 private:
  // Features that may not change are left at 0: no step moves them.
  void add_row(std::size_t row, double factor, std::vector<double>& out) const {
    for (std::size_t j = list_.row_begins[row]; j < list_.row_begins[row + 1]; ++j)
      if (learnable_[list_.features[j]])
        out[numbering_[list_.features[j]]] += factor * list_.values[j];
  }

  void extend_kernel() {
    const std::size_t size = differences_.size();
    std::vector<double> larger(size * size);
    for (std::size_t i = 0; i + 1 < size; ++i)
      std::copy_n(kernel_.begin() + static_cast<std::ptrdiff_t>(i * (size - 1)), size - 1,
                  larger.begin() + static_cast<std::ptrdiff_t>(i * size));
    for (std::size_t i = 0; i < size; ++i)
      larger[i * size + size - 1] = larger[(size - 1) * size + i] = std::inner_product(
          differences_[i].begin(), differences_[i].end(), differences_.back().begin(), 0.0);
    kernel_ = std::move(larger);
  }

  const KBestList& list_;
  const LearnableFeatures& learnable_;
  const std::size_t hope_;
  const LocalNumbering numbering_;
  std::vector<std::size_t> hypotheses_;
  // Entry 0 is hope against itself: what of C is not needed stays there.
  std::vector<double> alpha_, gains_, kernel_;
  std::vector<std::vector<double>> differences_;
};

}  // namespace

void MiraOptions::check() const {
  if (!(c > 0) || !std::isfinite(c)) throw range_error("c", "above 0", c, "try 0.01");
  if (constraints == 0)
    throw range_error("constraints", "at least 1", 0, "1 constraint is the fear hypothesis alone");
}

MiraUpdate mira_update(const KBestList& list, std::span<const double> scores,
                       std::span<const double> metric, const LearnableFeatures& learnable,
                       const MiraOptions& options) {
  options.check();
  if (scores.size() != list.size() || metric.size() != list.size())
    throw Error("MIRA needs a model score and a metric for each of " + std::to_string(list.size()) +
                " hypotheses");
  MiraUpdate update;
  if (list.size() == 0) return update;
  std::size_t hope = 0;
  for (std::size_t i = 1; i < list.size(); ++i)
    if (scores[i] + metric[i] > scores[hope] + metric[hope]) hope = i;

  ConstraintSet set(list, learnable, hope, options.c);
  std::vector<double> violation(list.size());
  while (set.size() < options.constraints) {
    const auto changes = set.score_changes();
    for (std::size_t i = 0; i < list.size(); ++i)
      violation[i] =
          metric[hope] - metric[i] - (scores[hope] + changes[hope] - scores[i] - changes[i]);
    double slack = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (set.has(i)) slack = std::max(slack, violation[i]);
    const auto worst =
        static_cast<std::size_t>(std::ranges::max_element(violation) - violation.begin());
    if (set.size() == 0) update.loss = violation[worst];
    if (set.has(worst) || !(violation[worst] > slack + kTolerance * update.loss)) break;
    set.add(worst, metric[hope] - metric[worst] - (scores[hope] - scores[worst]));
  }
  update.constraints = static_cast<std::uint32_t>(set.size());
  update.coefficients = set.coefficients();
  return update;
}

}  // namespace demotic
