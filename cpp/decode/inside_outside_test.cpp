#include "decode/inside_outside.hpp"

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"

namespace demotic::inside_outside_test {

constexpr double kTemperatures[] = {0.3, 1, 4};

bool near(double a, double b) { return std::abs(a - b) < 1e-9 * (1 + std::abs(b)); }

// Derivations of a graph with their probabilities, and the log of the sum of their weights.
struct Distribution {
  Distribution(const Hypergraph& graph, double temperature) {
    double sum = 0;
    for (const Derivation& derivation : test::derivations(graph))
      sum += probability[derivation] = std::exp(test::score_of(graph, derivation) / temperature);
    for (auto& [derivation, value] : probability) value /= sum;
    log_sum = std::log(sum);
  }
  std::map<Derivation, double> probability;
  double log_sum;
};

TEST("inside sums and posteriors are those of all derivations, one by one") {
  const test::Toy toy;
  for (const test::Words& sentence : {test::Words{"p"}, {"p", "q", "r"}, {"q", "x", "p"}}) {
    const Hypergraph graph = toy.decode(sentence, 15);
    for (const double temperature : kTemperatures) {
      const Distribution brute(graph, temperature);
      CHECK(near(inside(graph, temperature).back(), brute.log_sum));
      std::vector<double> expected(graph.forest().edges.size());
      for (const auto& [derivation, probability] : brute.probability)
        for (const std::uint32_t edge : derivation) expected[edge] += probability;
      const auto posteriors = edge_posteriors(graph, temperature);
      CHECK(posteriors.size() == expected.size());
      for (std::size_t e = 0; e < expected.size(); ++e) CHECK(near(posteriors[e], expected[e]));
    }
  }
}

TEST("expected features are the mean of the derivations' features") {
  const test::Toy toy;
  const Hypergraph graph = toy.decode({"p", "q", "r"}, 15);
  for (const double temperature : kTemperatures) {
    std::map<std::uint32_t, double> expected;
    for (const auto& [derivation, probability] : Distribution(graph, temperature).probability) {
      std::vector<FeatureValue> features;
      add_features(graph.forest(), derivation, features);
      for (const FeatureValue& feature : features)
        expected[feature.feature] += probability * feature.value;
    }
    std::map<std::uint32_t, double> found;
    for (const FeatureValue& feature : expected_features(graph, temperature))
      CHECK(found.emplace(feature.feature, feature.value).second);
    CHECK(expected.size() > 10);
    for (const auto& [feature, value] : expected) CHECK(near(found[feature], value));
    for (const auto& [feature, value] : found) CHECK(value == 0 || expected.contains(feature));
  }
}

TEST("samples follow the distribution, and a seed gives one sample") {
  const test::Toy toy;
  const Hypergraph graph = toy.decode({"p", "q"}, 0);
  const Distribution brute(graph, 2);
  constexpr std::size_t kSamples = 20'000;
  const auto drawn = sample(graph, kSamples, 2, 11);
  CHECK(drawn == sample(graph, kSamples, 2, 11) && drawn != sample(graph, kSamples, 2, 12));
  std::map<Derivation, double> shares;
  for (const Derivation& derivation : drawn) shares[derivation] += 1.0 / kSamples;
  double distance = 0;  // total variation
  for (const auto& [derivation, share] : shares) CHECK(brute.probability.contains(derivation));
  for (const auto& [derivation, probability] : brute.probability)
    distance += std::abs(shares[derivation] - probability) / 2;
  CHECK(brute.probability.size() > 10);
  CHECK(distance < 0.02);
}

TEST("a temperature must be a positive number") {
  const Hypergraph graph = test::Toy().decode({"p"}, 3);
  for (const double temperature : {0.0, -1.0, double{INFINITY}, double{NAN}})
    CHECK(test::thrown<Error>([&] { inside(graph, temperature); }).find("temperature") !=
          std::string::npos);
}

}  // namespace demotic::inside_outside_test
