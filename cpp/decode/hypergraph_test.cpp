#include "decode/hypergraph.hpp"

#include <cmath>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "base/section_test.hpp"
#include "base/test.hpp"
#include "decode/decode_test.hpp"
#include "decode/hypergraph_file.hpp"
#include "decode/kbest.hpp"
#include "decode/pruning.hpp"

namespace demotic::hypergraph_test {

const std::string kPath = "hypergraph_test.hg";

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void weigh_sparse_features(test::Toy& toy) {
  for (const char* name : {"tgt_ngram:a", "tgt_ngram:b_a", "tgt_ngram:d"}) {
    const FeatureId id = toy.index->intern(name);
    toy.weights.resize(id + 1);
    toy.weights[id] = 0.3 + 0.1 * id;
  }
}

// A graph whose sparse features have weights, known and unknown to the index.
struct Weighted {
  Weighted() { weigh_sparse_features(toy); }
  test::Toy toy;
};

TEST("other weights on the same structure give what search with these weights gives") {
  test::Toy toy;
  const test::Words sentence = {"p", "q", "r"};
  const Hypergraph before = toy.decode(sentence, 0);
  weigh_sparse_features(toy);
  const Hypergraph after = toy.decode(sentence, 0);
  const Hypergraph rescored = before.rescore(*toy.index, {toy.weights});
  double changed = 0;
  LazyKBest expected(after, false), found(rescored, false), old(before, false);
  for (LazyKBest::Found a, b, c; expected.next(a);) {
    CHECK(found.next(b) && old.next(c));
    CHECK(std::abs(a.score - b.score) < 1e-6);
    changed += std::abs(a.score - c.score);
  }
  LazyKBest::Found none;
  CHECK(!found.next(none) && changed > 1);
}

TEST("a file gives the same hypergraph back, and the same file again") {
  const Weighted weighted;
  const Hypergraph graph = weighted.toy.decode({"p", "q", "x", "r"}, 200);
  save_hypergraph(kPath, graph, *weighted.toy.index);
  const auto index = std::make_shared<FeatureIndex>();
  const Hypergraph loaded = load_hypergraph(kPath, *index);
  CHECK(std::ranges::equal(loaded.edge_scores(), graph.edge_scores()));
  CHECK(loaded.forest().book->sentence() == graph.forest().book->sentence());
  const KBestList list = list_kbest(graph, 200, false), other = list_kbest(loaded, 200, false);
  CHECK(list.size() > 100);
  CHECK(list.scores == other.scores && list.edges == other.edges);
  for (std::size_t i = 0; i < list.size(); ++i) CHECK(list.sentence(i) == other.sentence(i));
  std::vector<double> weights(index->size());
  for (FeatureId id = 0; id < index->size(); ++id)
    if (const auto known = weighted.toy.index->find(index->name(id)))
      weights[id] = weighted.toy.weights[*known];
  for (const char* dense :
       {"P", "LanguageModel", "LanguageModel_OOV", "WordPenalty", "Glue", "PassThrough"}) {
    weights.resize(std::max<std::size_t>(weights.size(), index->intern(dense) + 1));
    weights[index->intern(dense)] = weighted.toy.weights[*weighted.toy.index->find(dense)];
  }
  const Hypergraph rescored = loaded.rescore(*index, {weights});  // by name: ids may differ
  for (std::size_t e = 0; e < graph.edge_scores().size(); ++e)
    CHECK(std::abs(rescored.edge_scores()[e] - graph.edge_scores()[e]) < 1e-12);
  const std::string first = bytes_of(kPath);
  save_hypergraph(kPath, loaded, *index);
  CHECK(bytes_of(kPath) == first);
}

TEST("a graph and its lists refuse an index that is not theirs") {
  const Weighted weighted;
  const Hypergraph graph = weighted.toy.decode({"p", "q"}, 20);
  const auto other = std::make_shared<FeatureIndex>();
  const std::vector<double> weights(10, 1.0);
  const std::string message = "the hypergraph belongs to another feature index";
  CHECK(test::thrown<Error>([&] { graph.rescore(*other, {weights}); }) == message);
  CHECK(test::thrown<Error>([&] { save_hypergraph(kPath, graph, *other); }) == message);
  KBestList list = list_kbest(graph, 5, false);
  CHECK(list.forest == graph.forest().identity);
  CHECK(test::thrown<Error>([&] { list.number_features(*other); }) ==
        "the k-best list belongs to another feature index");
}

TEST("features that the model leaves out stay out of a graph that was loaded") {
  const test::Toy toy;
  DecodeOptions options;
  options.left_out = {"P", "WordPenalty"};
  const Hypergraph graph =
      Decoder(toy.lm, options).decode(toy.book({"p", "q"}), *toy.index, {toy.weights});
  save_hypergraph(kPath, graph, *toy.index);
  const auto index = std::make_shared<FeatureIndex>();
  const Hypergraph loaded = load_hypergraph(kPath, *index);
  FeatureIndex names(toy.index), other(index);
  KBestList list = list_kbest(graph, 5, false), again = list_kbest(loaded, 5, false);
  list.number_features(names);
  again.number_features(other);
  CHECK(list.size() == 5 && list.row_begins == again.row_begins);
  for (const char* name : {"P", "WordPenalty"}) CHECK(!other.find(name));
  CHECK(other.find("LanguageModel").has_value());
}

TEST("a damaged file is refused or is a sound hypergraph, and does no harm") {
  const test::Toy toy;
  save_hypergraph(kPath, toy.decode({"p", "q"}, 5), *toy.index);
  const std::string whole = test::without_checksums(bytes_of(kPath));
  const auto read = [](const std::string& bytes) {
    std::ofstream(kPath, std::ios::binary) << bytes;
    FeatureIndex index;
    list_kbest(load_hypergraph(kPath, index), 20, true);
  };
  for (std::size_t size = 0; size < whole.size(); size += 97)
    CHECK(test::thrown<Error>([&] { read(whole.substr(0, size)); }) != "");
  std::mt19937 random(6);
  int refused = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    std::string bytes = whole;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    refused += test::thrown<Error>([&] { read(bytes); }) != "";
  }
  CHECK(refused > 30);
}

TEST("pruning keeps the best derivation, and each edge that is left is as good as before") {
  const test::Toy toy;
  const Hypergraph graph = toy.decode({"p", "q", "r", "p"}, 30);
  const auto best = list_kbest(graph, 1, false);
  const std::size_t edges = graph.forest().edges.size();
  std::size_t last = edges;
  for (const double threshold : {1e-6, 1e-3, 0.1, 1.1}) {
    const Hypergraph pruned = prune(graph, threshold, 1);
    CHECK(pruned.forest().edges.size() <= last);
    last = pruned.forest().edges.size();
    const auto list = list_kbest(pruned, 1, false);
    CHECK(list.scores[0] == best.scores[0] && list.sentence(0) == best.sentence(0));
  }
  CHECK(last < edges && last == best.edges.size());
}

TEST("max-marginals are the best scores through each edge") {
  const test::Toy toy;
  const Hypergraph graph = toy.decode({"p", "q", "r"}, 15);
  std::vector<double> expected(graph.forest().edges.size(), -INFINITY);
  for (const Derivation& derivation : test::derivations(graph))
    for (const std::uint32_t edge : derivation)
      expected[edge] = std::max(expected[edge], test::score_of(graph, derivation));
  const auto found = max_marginals(graph);
  CHECK(found.size() == expected.size());
  for (std::size_t e = 0; e < found.size(); ++e) CHECK(std::abs(found[e] - expected[e]) < 1e-9);
}

}  // namespace demotic::hypergraph_test
