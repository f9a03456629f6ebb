#include "decode/packed_forest.hpp"

#include <random>

#include "base/error.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"
#include "decode/kbest_list.hpp"

namespace demotic::packed_forest_test {

const test::Words kSentence = {"p", "q", "x", "r", "q"};

Hypergraph unpacked(const test::Toy& toy, std::string_view packed, const test::Words& sentence) {
  const auto grammar =
      std::make_shared<const Grammar>(unpack_rules(packed, *toy.grammar, feature_set("cdec12")));
  const auto templates =
      std::make_shared<const TemplateSet>(test::Words{"shape", "tgt_ngram:n=1..2"});
  auto book = std::make_shared<const RuleBook>(
      sentence, grammar, std::make_shared<const RuleFeatures>(grammar, templates, *toy.index));
  return unpack_forest(packed, std::move(book), std::make_shared<const DecodeOptions>(), *toy.index,
                       {toy.weights});
}

// Whatever is unpacked must be usable.
bool is_refused(const test::Toy& toy, const std::string& packed) {
  try {
    return test::kbest_text(unpacked(toy, packed, kSentence), 20, toy.index).empty();
  } catch (const Error&) {
    return true;
  }
}

TEST("a packed hypergraph is unpacked as it was, under any weights") {
  test::Toy toy;
  for (const test::Words& sentence : {kSentence, test::Words{"p"}, test::Words{}}) {
    const Hypergraph graph = toy.decode(sentence, 100);
    const std::string packed = pack_forest(graph);
    CHECK(pack_forest(unpacked(toy, packed, sentence)) == packed);
    CHECK(test::kbest_text(unpacked(toy, packed, sentence), 1000, toy.index) ==
          test::kbest_text(graph, 1000, toy.index));
    toy.weights[0] += 0.5;
    CHECK(test::kbest_text(unpacked(toy, packed, sentence), 1000, toy.index) ==
          test::kbest_text(graph.rescore(*toy.index, {toy.weights}), 1000, toy.index));
  }
}

TEST("a packed hypergraph knows its sentence") {
  const test::Toy toy;
  const std::string packed = pack_forest(toy.decode({"p", "q"}, 20));
  CHECK(test::thrown<Error>([&] {
          unpacked(toy, packed, {"q", "p"});
        }).find("belongs to another sentence or to another model") != std::string::npos);
}

TEST("damaged bytes are refused, or another hypergraph") {
  const test::Toy toy;
  const std::string whole = pack_forest(toy.decode(kSentence, 20));
  for (std::size_t size = 0; size < whole.size(); size += 3)
    CHECK(is_refused(toy, whole.substr(0, size)));
  CHECK(is_refused(toy, whole + "x"));
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    for (auto changes = 1 + random() % 3; changes > 0; --changes)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    refused += is_refused(toy, damaged);
  }
  CHECK(refused > 500 && refused < 3000);
}

}  // namespace demotic::packed_forest_test
