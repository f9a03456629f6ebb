#include "learn/hypergraph_envelope.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"
#include "evaluate/bleu_metric.hpp"

namespace demotic::hypergraph_envelope_test {

// A direction: slopes of edges that are no multiple of their scores.
std::vector<double> slopes_of(const Hypergraph& graph) {
  std::mt19937 random(4);
  std::vector<double> slopes(graph.forest().edges.size());
  for (double& slope : slopes) slope = static_cast<double>(random() % 2001) / 1000 - 1;
  return slopes;
}

Line line_of(const Hypergraph& graph, std::span<const double> slopes,
             const Derivation& derivation) {
  Line line{0, test::score_of(graph, derivation), 0};
  for (const std::uint32_t edge : derivation) line.slope += slopes[edge];
  return line;
}

TEST("the envelope is that of all derivations, one by one") {
  const test::Toy toy;
  for (const test::Words& sentence : {test::Words{"p"}, {"q", "p"}, {"p", "q", "r"}}) {
    const Hypergraph graph = toy.decode(sentence, 20);
    const auto slopes = slopes_of(graph);
    std::vector<Line> lines;
    for (const Derivation& derivation : test::derivations(graph))
      lines.push_back(line_of(graph, slopes, derivation));
    const auto expected = upper_envelope(lines);
    const auto found = hypergraph_envelope(graph, slopes);
    CHECK(found.size() == expected.size() && found.size() > 1);
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
      CHECK(i == 0 ? found[0].from == -INFINITY
                   : std::abs(found[i].from - expected[i].from) < 1e-9);
      const Line line = line_of(graph, slopes, found[i].derivation);
      CHECK(std::abs(line.slope - found[i].slope) < 1e-9 &&
            std::abs(line.intercept - found[i].intercept) < 1e-9);
    }
  }
}

TEST("the curve of two graphs has the statistics of the better one everywhere") {
  const test::Toy toy;
  const Hypergraph one = toy.decode({"p", "q", "r"}, 2), other = toy.decode({"p", "q", "r"}, 25);
  const auto slopes = slopes_of(one), other_slopes = slopes_of(other);
  const References references({{"b", "a", "e"}});
  const BleuMetric metric;
  const Hypergraph* graphs[] = {&one, &other};
  const std::span<const double> both[] = {slopes, other_slopes};
  const SentenceCurve curve = hypergraph_curve(graphs, both, references, metric);
  CHECK(curve.from.size() > 1 && curve.statistics.size() == curve.from.size() * metric.columns());
  for (std::size_t i = 0; i < curve.from.size(); ++i) {
    const double low = i == 0 ? curve.from[1] - 2 : curve.from[i];
    const double at = i + 1 < curve.from.size() ? (low + curve.from[i + 1]) / 2 : low + 1;
    double highest = -INFINITY;
    std::vector<std::int32_t> expected;
    for (const int g : {0, 1})
      for (const Derivation& derivation : test::derivations(*graphs[g])) {
        const Line line = line_of(*graphs[g], both[g], derivation);
        if (line.intercept + at * line.slope <= highest + 1e-9) continue;
        highest = line.intercept + at * line.slope;
        expected = statistics(metric, references, test::words_of(*graphs[g], derivation));
      }
    const auto begin = curve.statistics.begin() + static_cast<std::ptrdiff_t>(i * metric.columns());
    CHECK(std::equal(expected.begin(), expected.end(), begin));
  }
}

TEST("a slope per edge is needed") {
  const Hypergraph graph = test::Toy().decode({"p"}, 5);
  CHECK(test::thrown<Error>([&] { hypergraph_envelope(graph, std::vector<double>(1)); }) != "");
}

}  // namespace demotic::hypergraph_envelope_test
