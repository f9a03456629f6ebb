// What learning and a service do on several threads, as a whole: extraction, features, search,
// lists and metrics share one index, one cache and one decoder. Made for the thread sanitizer; the
// oracle is the same work on one thread.
#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"
#include "evaluate/references.hpp"
#include "grammar/extractor.hpp"
#include "learn/pairs.hpp"
#include "learn/perceptron.hpp"

namespace demotic::parallel_test {

using test::Words;

constexpr std::size_t kPairs = 24, kBatch = 8;
constexpr unsigned kThreads = 4;

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Sentence pairs, their index, and a language model. The target says A for a and so on, in places
// swapped.
struct World {
  World() {
    const std::string bitext = "parallel_test.bitext", file = "parallel_test.index";
    std::mt19937 random(11);
    BitextBuilder builder;
    std::string text;
    for (std::size_t i = 0; i < kPairs; ++i) {
      Words source, target;
      std::string links;
      for (auto length = 3 + random() % 5; length > 0; --length) {
        const auto word = static_cast<char>('a' + random() % 5);
        source.emplace_back(1, word);
        target.emplace_back(1, static_cast<char>(word - 'a' + (random() % 4 == 0 ? 'P' : 'A')));
      }
      if (random() % 2 == 0) std::swap(target[0], target[1]);
      for (std::size_t j = 0; j < source.size(); ++j) {
        const std::size_t k = j < 2 && source[0][0] - 'a' != (target[0][0] - 'A') % 15 ? 1 - j : j;
        links += std::to_string(j) + "-" + std::to_string(k) + " ";
      }
      builder.add(joined(source), joined(target), links);
      text += joined(target) + "\n";
      sources.push_back(source);
      references.emplace_back(std::vector<Words>{target});
    }
    builder.write(bitext);
    build_index(Bitext(bitext), file, 2);
    index = std::make_shared<const GrammarIndex>(file, 1);
    lm = std::make_shared<const Model>(test::model_of(text, 2));
  }

  std::vector<Words> sources;
  std::vector<References> references;
  std::shared_ptr<const GrammarIndex> index;
  std::shared_ptr<const Model> lm;
};

// A model in use: everything here is shared by all threads.
struct Shared {
  explicit Shared(const World& world)
      : extractor(world.index, {}, feature_set("cdec12")), decoder(world.lm, options()) {
    for (const char* name : {"LanguageModel", "WordPenalty", "EgivenFCoherent"}) {
      weights.resize(features->intern(name) + 1);
      weights.back() = name[0] == 'E' ? -0.5 : 0.5;
    }
  }
  static DecodeOptions options() {
    DecodeOptions options;
    options.pop_limit = 20;
    return options;
  }
  Hypergraph decode(const Words& sentence, const Mask* mask) const {
    const std::vector<std::string_view> words(sentence.begin(), sentence.end());
    const auto grammar = std::make_shared<const Grammar>(extractor.extract(words, mask));
    const auto rules = std::make_shared<const RuleFeatures>(grammar, templates, *features);
    return decoder.decode(std::make_shared<const RuleBook>(sentence, grammar, rules), *features,
                          {weights});
  }

  Extractor extractor;
  Decoder decoder;
  std::shared_ptr<const TemplateSet> templates =
      std::make_shared<const TemplateSet>(Words{"id", "shape", "tgt_ngram:n=1..2"});
  std::shared_ptr<FeatureIndex> features = std::make_shared<FeatureIndex>();
  std::vector<double> weights;
};

// Batches of training sentences, each left out of its own grammar, are decoded and scored side by
// side; then one thread numbers their features and learns from them in order.
std::vector<double> learnt(const World& world, unsigned threads) {
  Shared shared(world);
  Perceptron perceptron({.learning_rate = 0.01});
  for (std::size_t begin = 0; begin < 2 * kPairs; begin += kBatch) {
    std::vector<KBestList> lists(kBatch);
    std::vector<std::vector<double>> metric(kBatch);
    parallel_for(kBatch, threads, [&](std::size_t i) {
      const std::size_t pair = (begin + i) % kPairs;
      const Mask own(world.index, {static_cast<std::uint32_t>(pair)});
      const Hypergraph graph = shared.decode(world.sources[pair], &own);
      lists[i] = list_kbest(graph, 20, true);
      const References& references = world.references[pair];
      for (std::size_t j = 0; j < lists[i].size(); ++j)
        metric[i].push_back(
            bleu_plus_one(references.statistics(references.ids(lists[i].sentence(j)))));
    });
    for (std::size_t i = 0; i < kBatch; ++i) {
      lists[i].number_features(*shared.features);
      shared.weights.resize(shared.features->size());
      const auto pairs = make_pairs(metric[i], lists[i].scores, {}, {}, 1);
      perceptron.update(lists[i], pairs, metric[i], *shared.features, shared.weights, {});
    }
  }
  return shared.weights;
}

TEST("four threads that decode for a learner leave the weights that one leaves") {
  const World world;
  const auto expected = learnt(world, 1);
  CHECK(expected.size() > 100);
  CHECK(std::ranges::count_if(expected, [](double weight) { return weight != 0; }) > 50);
  for (int repeat = 0; repeat < 2; ++repeat) CHECK(learnt(world, kThreads) == expected);
}

// A request sees features that the model does not know: they get ids in an index of its own.
TEST("four threads that answer requests with one model say what one says") {
  const World world;
  const auto answers = [&](unsigned threads) {
    const Shared shared(world);
    std::vector<std::string> texts(3 * kPairs);
    parallel_for(texts.size(), threads, [&](std::size_t i) {
      const Words& sentence = world.sources[i * 7 % kPairs];  // the same at once now and then
      texts[i] = test::kbest_text(shared.decode(sentence, nullptr), 10, shared.features);
    });
    CHECK(shared.features->size() == 3);
    return texts;
  };
  const auto expected = answers(1);
  CHECK(std::ranges::none_of(expected, &std::string::empty));
  for (int repeat = 0; repeat < 2; ++repeat) CHECK(answers(kThreads) == expected);
}

std::string best(const Shared& shared, const Words& sentence) {
  return joined(list_kbest(shared.decode(sentence, nullptr), 1, true).sentence(0));
}

TEST("who adds features while others decode gets an error, or they do; nothing else happens") {
  const World world;
  const Shared shared(world);
  std::atomic<std::size_t> added = 0;
  std::vector<std::string> texts(8 * kPairs);
  parallel_for(texts.size(), kThreads, [&](std::size_t i) {
    const auto attempt = [&](const auto& work) {
      const std::string message = test::thrown<Error>(work);
      CHECK(message.empty() || message.find("another thread") != std::string::npos);
      return message.empty();
    };
    if (i % 4 != 0)
      attempt([&] { texts[i] = best(shared, world.sources[i % kPairs]); });
    else
      for (std::size_t j = 0; j < 300; ++j)
        added += attempt(
            [&] { shared.features->intern("New" + std::to_string(i) + "." + std::to_string(j)); });
  });
  CHECK(shared.features->size() == 3 + added);
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty()) CHECK(texts[i] == best(shared, world.sources[i % kPairs]));
}

}  // namespace demotic::parallel_test
