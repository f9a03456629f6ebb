// What the tests of this layer share: k-best lists of a few numbers.
#pragma once

#include <utility>
#include <vector>

#include "decode/kbest_list.hpp"

namespace demotic::test {

using Row = std::vector<std::pair<FeatureId, double>>;

// A list of hypotheses without words: rows of features, by rising id, and the scores of decoding.
inline KBestList list_of(const std::vector<Row>& rows, std::vector<double> scores = {}) {
  KBestList list;
  scores.resize(rows.size());
  list.scores = std::move(scores);
  list.word_begins.assign(rows.size() + 1, 0);
  list.edge_begins.assign(rows.size() + 1, 0);
  list.row_begins = {0};
  for (const Row& row : rows) {
    for (const auto& [feature, value] : row) {
      list.features.push_back(feature);
      list.values.push_back(value);
    }
    list.row_begins.push_back(list.features.size());
  }
  return list;
}

inline std::vector<double> scores_of(const KBestList& list, const std::vector<double>& weights) {
  std::vector<double> scores(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = list.row_begins[i]; j < list.row_begins[i + 1]; ++j)
      scores[i] += weights[list.features[j]] * list.values[j];
  return scores;
}

}  // namespace demotic::test
