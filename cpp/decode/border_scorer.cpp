#include "decode/border_scorer.hpp"

namespace demotic {

BorderScorer::BorderScorer(const RuleBook& book, const FeatureIndex& index, WeightView weights)
    : book_(book),
      index_(index),
      weights_(weights),
      words_(book),
      names_(book, words_),
      rules_(book.size()) {}

BorderWords BorderScorer::apply(RuleId rule, const BorderWords* first, const BorderWords* second,
                                double& score) {
  Runs& entry = rules_[rule];
  if (!entry.known) entry = {border_runs(book_, words_, rule), true};
  return join_borders(entry.runs, first, second,
                      [&](WordId left, WordId right) { score += weight(left, right); });
}

double BorderScorer::weight(WordId left, WordId right) {
  const auto [sum, is_new] = bigrams_.insert(std::uint64_t{left} << 32 | right, 0.0);
  if (is_new) {
    for (std::size_t t = 0; t < names_.templates(); ++t)
      if (const auto id = index_.find(names_.print(t, left, right))) *sum += weights_[*id];
    check_score(*sum);
  }
  return *sum;
}

}  // namespace demotic
