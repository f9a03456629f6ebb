#include "decode/target_models.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"
#include "decode/inside_outside.hpp"
#include "decode/packed_forest.hpp"
#include "decode/pruning.hpp"
#include "lm/score_text.hpp"

namespace demotic::target_models_test {

using test::Words;

const std::vector<Words> kSentences = {
    {}, {"p"}, {"q", "p"}, {"p", "q", "r"}, {"r", "q", "x"}, {"p", "p", "q"}};

// The toy with a model of order 4 over three classes, and a bigram model of words.
struct Models : test::Toy {
  std::shared_ptr<const WordClasses> classes = std::make_shared<const WordClasses>(
      WordClasses::from_text("a\t1\nb\t1\nc\t2\nd\t2\ne\t3\n", "classes", 3));
  TargetModels further = {
      {std::make_shared<const Model>(test::model_of("1 1 2 3\n3 1 2\n2 2 1 3 1\n1\n", 4)), classes},
      {std::make_shared<const Model>(test::model_of(test::random_text(9, 40, 4), 2)), nullptr}};

  Models() {
    for (const auto& [name, weight] : {std::pair("ClassModel", 0.8), std::pair("Bigrams", -0.3)}) {
      weights.resize(std::max<std::size_t>(weights.size(), index->intern(name) + 1));
      weights[index->intern(name)] = weight;
    }
  }

  DecodeOptions options(std::uint32_t pop_limit) const {
    DecodeOptions result;
    result.pop_limit = pop_limit;
    result.further_models = {"ClassModel", "Bigrams"};
    return result;
  }
  Hypergraph decode(const Words& sentence, std::uint32_t pop_limit) const {
    return Decoder(lm, options(pop_limit), further).decode(book(sentence), *index, {weights});
  }

  // What a model says about a whole sentence.
  double score(const TargetModel& model, const Words& words) const {
    std::string line;
    for (const std::string& word : words)
      line += (model.classes ? model.classes->name(model.classes->of(word)) : word) + " ";
    return score_sentence(*model.lm, line).log10_prob;
  }
};

TEST("the edges of a derivation add up to what each model says about the whole sentence") {
  const Models toy;
  for (const Words& sentence : kSentences) {
    const Hypergraph one = toy.Toy::decode(sentence, 0), all = toy.decode(sentence, 0);
    CHECK(test::derivations(all).size() == test::derivations(one).size());
    for (const Derivation& derivation : test::derivations(all)) {
      const Words words = test::words_of(all, derivation);
      double sums[3] = {0, 0, 0};
      for (const std::uint32_t edge : derivation) {
        sums[0] += all.forest().edges[edge].lm;
        for (int i = 0; i < 2; ++i)
          sums[i + 1] += all.forest().further(edge)[static_cast<std::size_t>(i)];
      }
      CHECK(std::abs(sums[0] - toy.score({toy.lm, nullptr}, words)) < 1e-4);
      CHECK(std::abs(sums[1] - toy.score(toy.further[0], words)) < 1e-4);
      CHECK(std::abs(sums[2] - toy.score(toy.further[1], words)) < 1e-4);
    }
  }
}

TEST("items with other states in any model stay apart, and cube pruning finds what is best") {
  const Models toy;
  for (const Words& sentence : kSentences) {
    const Hypergraph exhaustive = toy.decode(sentence, 0);
    std::vector<double> scores;
    for (const Derivation& derivation : test::derivations(exhaustive))
      scores.push_back(test::score_of(exhaustive, derivation));
    const Hypergraph found = toy.decode(sentence, 200);
    CHECK(std::abs(list_kbest(found, 1, false).scores[0] - std::ranges::max(scores)) < 1e-9);
    CHECK(exhaustive.forest().nodes.size() >= toy.Toy::decode(sentence, 0).forest().nodes.size());
  }
}

// How many target words of the first derivation of a sentence count as unknown.
std::uint32_t unknown_words(const Decoder& decoder, const test::Toy& toy, const Words& sentence) {
  const Hypergraph graph = decoder.decode(toy.book(sentence), *toy.index, {toy.weights});
  std::uint32_t sum = 0;
  const Derivation first = test::derivations(graph).front();
  for (const std::uint32_t edge : first)
    sum += graph.forest().rules[graph.forest().edges[edge].rule].oov;
  return sum;
}

TEST("words of rules that the model of all text knows are not unknown, copied ones are") {
  test::Toy toy;
  toy.grammar = std::make_shared<const Grammar>(from_cdec_format(
      "[X] ||| p ||| a e ||| P=0.5 |||\n[X] ||| q ||| nowhere ||| P=0.5 |||\n", "r"));
  const auto part = std::make_shared<const Model>(test::model_of("a b\nb a\n", 2));
  DecodeOptions options;
  options.pass_through_all = false;
  const Decoder alone(part, options), within(part, options, {}, toy.lm);
  CHECK(unknown_words(alone, toy, {"p"}) == 1);  // e, which the other part has
  CHECK(unknown_words(within, toy, {"p"}) == 0);
  CHECK(unknown_words(within, toy, {"q"}) == 1);  // a word that no text has
  CHECK(unknown_words(within, toy, {"e"}) == 1);  // copied
}

TEST("models with a weight of 0 change no translation") {
  Models toy;
  for (const char* name : {"ClassModel", "Bigrams"}) toy.weights[*toy.index->find(name)] = 0;
  for (const Words& sentence : kSentences) {
    const auto plain = list_kbest(toy.Toy::decode(sentence, 0), 1000, true);
    const auto found = list_kbest(toy.decode(sentence, 0), 1000, true);
    CHECK(found.size() == plain.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(std::abs(found.scores[i] - plain.scores[i]) < 1e-5);
  }
}

TEST("lists, packed bytes, pruned graphs and other weights keep all models") {
  Models toy;
  const Words sentence = {"p", "q", "r", "x", "q"};
  const Hypergraph graph = toy.decode(sentence, 60);
  const std::string text = test::kbest_text(graph, 50, toy.index);
  CHECK(text.find(" ClassModel=") != std::string::npos && text.find(" Bigrams=") != text.npos);
  const std::string packed = pack_forest(graph);
  auto grammar =
      std::make_shared<const Grammar>(unpack_rules(packed, *toy.grammar, feature_set("cdec12")));
  const auto templates = std::make_shared<const TemplateSet>(Words{"shape", "tgt_ngram:n=1..2"});
  auto book = std::make_shared<const RuleBook>(
      sentence, grammar, std::make_shared<const RuleFeatures>(grammar, templates, *toy.index));
  const auto options = std::make_shared<const DecodeOptions>(toy.options(60));
  const Hypergraph unpacked = unpack_forest(packed, book, options, *toy.index, {toy.weights});
  CHECK(test::kbest_text(unpacked, 50, toy.index) == text);
  CHECK(test::kbest_text(prune_to(graph, 1000, 50), 20, toy.index) ==
        test::kbest_text(graph, 20, toy.index));
  const auto expected = expected_features(graph, 1.0);
  toy.weights[*toy.index->find("ClassModel")] = -0.4;
  const Hypergraph other = graph.rescore(*toy.index, {toy.weights});
  const KBestList best = list_kbest(graph, 1, false), rescored = list_kbest(other, 1000, false);
  const bool is_found = std::ranges::any_of(rescored.scores, [&](double score) {
    double value = 0;
    for (const std::uint32_t edge : best.edges) value += graph.forest().further(edge)[0];
    return std::abs(best.scores[0] - 1.2 * value - score) < 1e-6;
  });
  CHECK(is_found && expected.size() > 5);
}

TEST("every further model needs a name, and threads find the same") {
  const Models toy;
  CHECK(test::thrown<Error>([&] { Decoder(toy.lm, {}, toy.further); }).find("needs the name") !=
        std::string::npos);
  const Decoder decoder(toy.lm, toy.options(30), toy.further);
  const auto decode_all = [&](unsigned threads) {
    std::vector<std::string> texts(24);
    parallel_for(texts.size(), threads, [&](std::size_t i) {
      const Words& sentence = kSentences[i % kSentences.size()];
      texts[i] = test::kbest_text(decoder.decode(toy.book(sentence), *toy.index, {toy.weights}), 50,
                                  toy.index);
    });
    return texts;
  };
  const auto expected = decode_all(1);
  for (int repeat = 0; repeat < 3; ++repeat) CHECK(decode_all(4) == expected);
}

}  // namespace demotic::target_models_test
