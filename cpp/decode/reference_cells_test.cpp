#include "decode/reference_cells.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"

namespace demotic::reference_cells_test {

using test::Words;

// The scores of all derivations that yield these words, the best first.
std::vector<double> scores_of(const Hypergraph& graph, const Words& words) {
  std::vector<double> scores;
  for (const Derivation& derivation : test::derivations(graph))
    if (test::words_of(graph, derivation) == words)
      scores.push_back(test::score_of(graph, derivation));
  std::ranges::sort(scores, std::greater<>());
  return scores;
}

TEST("all derivations of exhaustive search that yield the reference, and no others") {
  const test::Toy toy;
  const Decoder decoder(toy.lm, {});
  for (const Words& sentence :
       {Words{}, Words{"p"}, Words{"q", "p"}, Words{"p", "q", "r"}, Words{"r", "q", "x", "q"}}) {
    const Hypergraph everything = toy.decode(sentence, 0);
    std::set<Words> strings;
    for (const Derivation& derivation : test::derivations(everything))
      strings.insert(test::words_of(everything, derivation));
    for (const Words& reference : strings) {
      const auto found =
          decoder.decode_reference(toy.book(sentence), reference, *toy.index, {toy.weights});
      CHECK(found.has_value());
      const auto expected = scores_of(everything, reference), scores = scores_of(*found, reference);
      CHECK(test::derivations(*found).size() == expected.size());
      CHECK(std::ranges::equal(scores, expected, [](double a, double b) {
        return std::abs(a - b) < 1e-5;  // log10 probabilities are single-precision numbers
      }));
    }
    for (Words other : {Words{"a", "nowhere"}, Words{"e", "e", "e", "e", "e", "e", "e", "e", "e"}})
      CHECK(!decoder.decode_reference(toy.book(sentence), other, *toy.index, {toy.weights}));
  }
}

TEST("a decoder that has parsed a reference searches as before") {
  const test::Toy toy;
  const Decoder decoder(toy.lm, {});
  const Words sentence = {"p", "q", "r"};
  const auto text = [&] {
    return test::kbest_text(decoder.decode(toy.book(sentence), *toy.index, {toy.weights}), 30,
                            toy.index);
  };
  const std::string before = text();
  const Words reference = {"b", "a", "e"};
  CHECK(decoder.decode_reference(toy.book(sentence), reference, *toy.index, {toy.weights})
            .has_value());
  CHECK(text() == before);
}

TEST("prescribed translations have no place in forced decoding") {
  const test::Toy toy;
  const auto book = std::make_shared<const RuleBook>(
      Words{"p"}, toy.grammar, nullptr, std::vector<ForcedTranslation>{{0, {"a"}, {"a"}}});
  const std::string message = test::thrown<Error>(
      [&] { Decoder(toy.lm, {}).decode_reference(book, {"a"}, *toy.index, {toy.weights}); });
  CHECK(message.find("constraints on spans") != message.npos);
}

}  // namespace demotic::reference_cells_test
