#include "decode/kbest.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/test.hpp"
#include "decode/decode_test.hpp"

namespace demotic::kbest_test {

using test::Words;

std::vector<LazyKBest::Found> all_of(const Hypergraph& graph, bool unique) {
  LazyKBest search(graph, unique);
  std::vector<LazyKBest::Found> result;
  for (LazyKBest::Found found; search.next(found);) result.push_back(found);
  return result;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

const std::vector<Words> kSentences = {
    {}, {"p"}, {"q", "p"}, {"p", "q", "r"}, {"p", "q", "p", "r"}};

TEST("the list holds every derivation once, the best first") {
  const test::Toy toy;
  for (const Words& sentence : kSentences) {
    const Hypergraph graph = toy.decode(sentence, 12);
    const auto every = test::derivations(graph);
    const auto found = all_of(graph, false);
    CHECK(found.size() == every.size());
    std::vector<double> expected;
    for (const Derivation& derivation : every)
      expected.push_back(test::score_of(graph, derivation));
    std::ranges::sort(expected, std::greater<>());
    std::set<Derivation> listed;
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(near(found[i].score, expected[i]));
      CHECK(near(found[i].score, test::score_of(graph, found[i].edges)));
      listed.insert(found[i].edges);
    }
    CHECK((listed == std::set<Derivation>(every.begin(), every.end())));
  }
}

TEST("a unique list holds every string once, with its best derivation, the best first") {
  const test::Toy toy;
  for (const Words& sentence : kSentences) {
    const Hypergraph graph = toy.decode(sentence, 12);
    std::map<Words, double> best;
    for (const Derivation& derivation : test::derivations(graph)) {
      const double score = test::score_of(graph, derivation);
      const auto [place, is_new] = best.try_emplace(test::words_of(graph, derivation), score);
      if (!is_new) place->second = std::max(place->second, score);
    }
    const auto found = all_of(graph, true);
    CHECK(found.size() == best.size());
    std::set<Words> listed;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Words words = test::words_of(graph, found[i].edges);
      CHECK(listed.insert(words).second);
      CHECK(near(found[i].score, best.at(words)));
      CHECK(i == 0 || found[i].score <= found[i - 1].score + 1e-12);
    }
  }
}

TEST("derivations with equal scores come in the same order, however many are asked for") {
  test::Toy toy;
  std::ranges::fill(toy.weights, 0.0);
  const Hypergraph graph = toy.decode({"p", "q", "r"}, 0);
  const auto all = all_of(graph, false);
  CHECK(all.size() > 100);
  for (const std::size_t k : {1u, 7u, 50u}) {
    const KBestList list = list_kbest(graph, k, false);
    CHECK(list.size() == k);
    for (std::size_t i = 0; i < k; ++i) {
      const auto begin = list.edges.begin() + static_cast<std::ptrdiff_t>(list.edge_begins[i]);
      const auto end = list.edges.begin() + static_cast<std::ptrdiff_t>(list.edge_begins[i + 1]);
      CHECK(list.scores[i] == 0 && Derivation(begin, end) == all[i].edges);
    }
  }
}

TEST("the features of a hypothesis times the weights are its score") {
  const test::Toy toy;
  FeatureIndex index(toy.index);
  KBestList list = list_kbest(toy.decode({"p", "q", "x"}, 100), 40, true);
  list.number_features(index);
  CHECK(list.size() == 40 && list.unnumbered.empty());
  for (std::size_t i = 0; i < list.size(); ++i) {
    double score = 0;
    for (std::size_t j = list.row_begins[i]; j < list.row_begins[i + 1]; ++j) {
      CHECK(j == list.row_begins[i] || list.features[j - 1] < list.features[j]);
      score += WeightView{toy.weights}[list.features[j]] * list.values[j];
    }
    CHECK(std::abs(score - list.scores[i]) < 1e-6);
  }
}

}  // namespace demotic::kbest_test
