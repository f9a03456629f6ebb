// What the tests of this layer share: a toy model, and the derivations of a hypergraph by
// enumeration.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "decode/decoder.hpp"
#include "decode/derivation.hpp"
#include "decode/kbest_list.hpp"
#include "grammar/cdec_format.hpp"
#include "lm/lm_test.hpp"

namespace demotic::test {

using Words = std::vector<std::string>;

// Source words p, q, r; target words a to e, which the language model has seen. Swapped and
// monotone rules, several translations a word, scores without ties.
inline std::string toy_rules() {
  std::mt19937 random(7);
  std::string text;
  const auto add = [&](const std::string& source, const std::string& target) {
    const std::string value = std::to_string(static_cast<double>(random() % 10007) / 1e4);
    text += "[X] ||| " + source + " ||| " + target + " ||| P=" + value + " |||\n";
  };
  for (const char* source : {"p", "q", "r"})
    for (const char* target : {"a", "b", "c d", "e"}) add(source, target);
  add("p q", "b a");
  add("p [X,1]", "[X,1] a");
  add("p [X,1]", "c [X,1]");
  add("[X,1] q [X,2]", "[X,2] d [X,1]");
  add("[X,1] q [X,2]", "[X,1] [X,2] b");
  add("[X,1] r", "e [X,1]");
  return text;
}

struct Toy {
  Toy() {
    const auto set = [&](const char* name, double weight) {
      weights.resize(std::max<std::size_t>(weights.size(), index->intern(name) + 1));
      weights[index->intern(name)] = weight;
    };
    set("P", -1.3);
    set("LanguageModel", 0.7);
    set("LanguageModel_OOV", -0.9);
    set("WordPenalty", 0.4);
    set("Glue", -0.31);
    set("PassThrough", -2.1);
  }

  std::shared_ptr<const Model> lm =
      std::make_shared<const Model>(model_of(random_text(3, 300, 5), 3));
  std::shared_ptr<const Grammar> grammar =
      std::make_shared<const Grammar>(from_cdec_format(toy_rules(), "toy"));
  std::shared_ptr<FeatureIndex> index = std::make_shared<FeatureIndex>();
  std::vector<double> weights;

  std::shared_ptr<const RuleBook> book(const Words& sentence) const {
    const auto templates = std::make_shared<const TemplateSet>(Words{"shape", "tgt_ngram:n=1..2"});
    return std::make_shared<const RuleBook>(
        sentence, grammar, std::make_shared<const RuleFeatures>(grammar, templates, *index));
  }
  // `pop_limit` 0: exhaustive search.
  Hypergraph decode(const Words& sentence, std::uint32_t pop_limit) const {
    DecodeOptions options;
    options.pop_limit = pop_limit;
    return Decoder(lm, options).decode(book(sentence), *index, {weights});
  }
};

// Every derivation of a node, in the form of Derivation.
inline std::vector<Derivation> derivations(const Forest& forest, NodeId node) {
  std::vector<Derivation> result;
  for (std::uint32_t e = forest.nodes[node].edges_begin; e < forest.nodes[node].edges_end; ++e) {
    std::vector<Derivation> begun = {{e}};
    for (const NodeId tail : forest.target_tails(forest.edges[e])) {
      if (tail == kNone) continue;
      const auto parts = derivations(forest, tail);
      std::vector<Derivation> longer;
      for (const Derivation& begin : begun)
        for (const Derivation& part : parts) {
          longer.push_back(begin);
          longer.back().insert(longer.back().end(), part.begin(), part.end());
        }
      begun = std::move(longer);
    }
    result.insert(result.end(), begun.begin(), begun.end());
  }
  return result;
}

inline std::vector<Derivation> derivations(const Hypergraph& graph) {
  return derivations(graph.forest(), graph.forest().goal());
}

inline double score_of(const Hypergraph& graph, const Derivation& derivation) {
  double score = 0;
  for (const std::uint32_t edge : derivation) score += graph.edge_score(edge);
  return score;
}

inline Words words_of(const Hypergraph& graph, const Derivation& derivation) {
  const OutputWords names(*graph.forest().book);
  std::vector<WordId> ids;
  append_words(graph.forest(), names, derivation, ids);
  Words words;
  for (const WordId id : ids) words.emplace_back(names.text(id));
  return words;
}

// The k best as text, with the names of all features. `index`: that of the model.
inline std::string kbest_text(const Hypergraph& graph, std::size_t k,
                              const std::shared_ptr<FeatureIndex>& index) {
  FeatureIndex names(index);
  KBestList list = list_kbest(graph, k, false);
  list.number_features(names);
  return to_text(list, 0, names);
}

}  // namespace demotic::test
