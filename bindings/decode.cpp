#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "decode/decoder.hpp"
#include "decode/forest_file.hpp"
#include "decode/hypergraph_file.hpp"
#include "decode/inside_outside.hpp"
#include "decode/kbest_list.hpp"
#include "decode/packed_forest.hpp"
#include "decode/pruning.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using SharedGrammar = std::shared_ptr<const Grammar>;
using SharedFeatures = std::shared_ptr<const RuleFeatures>;
// (position, words, words that the language model reads)
using Forced =
    std::vector<std::tuple<std::uint32_t, std::vector<std::string>, std::vector<std::string>>>;

// (model, classes of words that it reads, or None for words)
using FurtherModels = std::vector<
    std::tuple<std::shared_ptr<const Model>, std::optional<std::shared_ptr<const WordClasses>>>>;

void new_decoder(Decoder* self, std::shared_ptr<const Model> lm, const DecodeOptions& options,
                 const FurtherModels& further, std::shared_ptr<const Model> whole) {
  TargetModels models;
  for (const auto& [model, classes] : further) models.push_back({model, classes.value_or(nullptr)});
  new (self) Decoder(std::move(lm), options, models, std::move(whole));
}

Hypergraph decode(const Decoder& decoder, std::vector<std::string> words, SharedGrammar grammar,
                  SharedFeatures features, const FeatureIndex& index, const WeightArray& weights,
                  const Forced& forced) {
  const nb::gil_scoped_release release;
  std::vector<ForcedTranslation> translations;
  for (const auto& [position, shown, read_as] : forced)
    translations.push_back({position, shown, read_as});
  auto book = std::make_shared<const RuleBook>(std::move(words), std::move(grammar),
                                               std::move(features), translations);
  return decoder.decode(std::move(book), index, view(weights));
}

std::optional<Hypergraph> decode_reference(const Decoder& decoder, std::vector<std::string> words,
                                           const std::vector<std::string>& reference,
                                           SharedGrammar grammar, SharedFeatures features,
                                           const FeatureIndex& index, const WeightArray& weights) {
  const nb::gil_scoped_release release;
  auto book =
      std::make_shared<const RuleBook>(std::move(words), std::move(grammar), std::move(features));
  return decoder.decode_reference(std::move(book), reference, index, view(weights));
}

nb::bytes packed(const Hypergraph& graph) {
  std::string bytes;
  {
    const nb::gil_scoped_release release;
    bytes = pack_forest(graph);
  }
  return nb::bytes(bytes.data(), bytes.size());
}

SharedGrammar rules_of_packed(const nb::bytes& bytes, const Grammar& like,
                              std::string_view features) {
  const std::string_view record = text_of(bytes);
  const nb::gil_scoped_release release;
  return std::make_shared<const Grammar>(unpack_rules(record, like, feature_set(features)));
}

// `grammar` is that of rules_of_packed.
Hypergraph unpack(const Decoder& decoder, const nb::bytes& bytes, std::vector<std::string> words,
                  SharedGrammar grammar, SharedFeatures features, const FeatureIndex& index,
                  const WeightArray& weights) {
  const std::string_view record = text_of(bytes);
  const nb::gil_scoped_release release;
  auto book =
      std::make_shared<const RuleBook>(std::move(words), std::move(grammar), std::move(features));
  return unpack_forest(record, std::move(book), decoder.shared_options(), index, view(weights));
}

// (ids, values) of a feature vector.
nb::tuple vector_of(const std::vector<FeatureValue>& features, const Forest& forest,
                    FeatureIndex& index) {
  std::vector<std::uint32_t> ids;
  std::vector<double> values;
  for (const FeatureValue& feature : numbered(features, forest, index)) {
    ids.push_back(feature.feature);
    values.push_back(feature.value);
  }
  return nb::make_tuple(own_array(std::move(ids)), own_array(std::move(values)));
}

nb::tuple expectations(const Hypergraph& graph, double temperature, FeatureIndex& index) {
  std::vector<FeatureValue> features;
  {
    const nb::gil_scoped_release release;
    features = expected_features(graph, temperature);
  }
  return vector_of(features, graph.forest(), index);
}

nb::tuple edge_features(const Hypergraph& graph, std::uint32_t edge, FeatureIndex& index) {
  if (edge >= graph.forest().edges.size()) throw nb::index_error("edge number out of range");
  std::vector<FeatureValue> features;
  add_features(graph.forest(), std::span(&edge, 1), features);
  return vector_of(features, graph.forest(), index);
}

nb::tuple symbols(std::span<const Symbol> side, const Vocab& vocab) {
  nb::list words;
  for (const Symbol symbol : side)
    words.append(symbol < 0 ? nb::object(nb::int_(-symbol))
                            : nb::object(nb::str(
                                  std::string(vocab.word(static_cast<WordId>(symbol))).c_str())));
  return nb::tuple(words);
}

// (kind, source, target, alignment) of a used rule; nonterminals are the numbers 1 and 2.
nb::tuple rule(const Hypergraph& graph, std::size_t number) {
  static constexpr const char* kKinds[] = {"translation", "pass-through", "glue-start",
                                           "glue",        "goal",         "forced"};
  const Forest& forest = graph.forest();
  if (number >= forest.rules.size()) throw nb::index_error("rule number out of range");
  const UsedRule& used = forest.rules[number];
  const RuleBook& book = *forest.book;
  nb::object source = nb::make_tuple(1), target = nb::make_tuple(1);
  nb::list links;
  if (used.kind == RuleKind::kTranslation) {
    const RuleBook::Place at = book.place(used.rule);
    source = symbols(at.block->source(*at.side), *book.grammar().source_vocab);
    target = symbols(used.content.target, *book.grammar().target_vocab);
    for (const RuleLink link : at.block->alignment(at.block->rules[at.rule]))
      links.append(nb::make_tuple(link.source, link.target));
  } else if (used.kind == RuleKind::kPassThrough) {
    source = target = nb::make_tuple(std::string(book.pass_through_word(used.rule)));
    links.append(nb::make_tuple(0, 0));
  } else if (used.kind == RuleKind::kForced) {
    const std::size_t position = used.rule - book.translation_rules();
    source = nb::make_tuple(std::string(book.pass_through_word(used.rule)));
    target = nb::tuple(nb::cast(book.forced(position)->words));
  } else if (used.kind == RuleKind::kGlue) {
    source = target = nb::make_tuple(1, 2);
  }
  return nb::make_tuple(kKinds[static_cast<int>(used.kind)], source, target, nb::tuple(links));
}

std::vector<std::string> hypothesis_words(const KBestList& list, std::size_t i) {
  if (i >= list.size()) throw nb::index_error("hypothesis number out of range");
  return list.sentence(i);
}

nb::list nodes(const Hypergraph& graph) {
  nb::list all;
  for (const HyperNode& node : graph.forest().nodes)
    all.append(nb::make_tuple(node.edges_begin, node.edges_end, node.begin, node.end,
                              graph.forest().labels[node.label]));
  return all;
}

nb::list edges(const Hypergraph& graph) {
  nb::list all;
  for (const HyperEdge& edge : graph.forest().edges) {
    nb::list tails;
    for (const NodeId tail : edge.tails)
      if (tail != kNone) tails.append(tail);
    all.append(nb::make_tuple(edge.rule, edge.head, nb::tuple(tails), edge.lm));
  }
  return all;
}

void bind_decode_options(nb::module_& module) {
  nb::class_<DecodeOptions>(
      module, "DecodeOptions",
      "How a sentence is decoded; documented in demotic.decode.DecodeOptions.")
      .def(nb::init<>())
      .def_rw("pop_limit", &DecodeOptions::pop_limit)
      .def_rw("lazy_corners", &DecodeOptions::lazy_corners)
      .def_rw("max_span", &DecodeOptions::max_span)
      .def_rw("pass_through_all", &DecodeOptions::pass_through_all)
      .def_rw("feature_names", &DecodeOptions::feature_names)
      .def_rw("left_out", &DecodeOptions::left_out)
      .def_rw("further_models", &DecodeOptions::further_models);
}

void bind_hypergraph(nb::module_& module) {
  nb::class_<Hypergraph>(module, "Hypergraph", "Packed derivations of one sentence; immutable.")
      .def_prop_ro("edge_scores",
                   [](nb::handle self) {
                     const auto scores = nb::cast<const Hypergraph&>(self).edge_scores();
                     return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(
                         scores.data(), {scores.size()}, self);
                   })
      .def_prop_ro("sentence",
                   [](const Hypergraph& graph) { return graph.forest().book->sentence(); })
      .def_prop_ro(
          "language_model",
          [](const Hypergraph& graph) { return graph.forest().options->feature_names[0]; },
          "Name of the language model's feature.")
      .def_prop_ro(
          "further_models",
          [](const Hypergraph& graph) { return graph.forest().options->further_models; },
          "Names of the features of further language models.")
      .def(
          "further_lm",
          [](const Hypergraph& graph, std::size_t edge) {
            if (edge >= graph.forest().edges.size())
              throw nb::index_error("edge number out of range");
            const auto values = graph.forest().further(edge);
            return std::vector<float>(values.begin(), values.end());
          },
          "edge"_a, "Log10 probabilities that an edge adds in the further language models.")
      .def_prop_ro(
          "identity", [](const Hypergraph& graph) { return graph.forest().identity; },
          "Of the derivations, under any weights.")
      .def_prop_ro("node_count",
                   [](const Hypergraph& graph) { return graph.forest().nodes.size(); })
      .def_prop_ro("edge_count",
                   [](const Hypergraph& graph) { return graph.forest().edges.size(); })
      .def_prop_ro("rule_count",
                   [](const Hypergraph& graph) { return graph.forest().rules.size(); })
      .def("nodes", &nodes, nb::sig("def nodes(self) -> list[tuple[int, int, int, int, str]]"),
           "(first edge, last edge + 1, begin, end, label) of every node, in topological order.")
      .def("edges", &edges,
           nb::sig("def edges(self) -> list[tuple[int, int, tuple[int, ...], float]]"),
           "(rule, head, tails, language-model log10 probability) of every edge.")
      .def("rule", &rule, "number"_a,
           nb::sig("def rule(self, number: int) -> tuple[str, tuple[str | int, ...], tuple[str | "
                   "int, ...], tuple[tuple[int, int], ...]]"),
           "(kind, source, target, alignment) of a rule.")
      .def(
          "rescore",
          [](const Hypergraph& graph, const FeatureIndex& index, const WeightArray& weights) {
            return graph.rescore(index, view(weights));
          },
          "index"_a, "weights"_a, nb::call_guard<nb::gil_scoped_release>(),
          "The same derivations under other weights.")
      .def(
          "inside",
          [](const Hypergraph& graph, double temperature) {
            return own_array(inside(graph, temperature));
          },
          "temperature"_a, "Log sum over the derivations of each node.")
      .def(
          "edge_posteriors",
          [](const Hypergraph& graph, double temperature) {
            return own_array(edge_posteriors(graph, temperature));
          },
          "temperature"_a)
      .def("expected_features", &expectations, "temperature"_a, "index"_a,
           nb::sig("def expected_features(self, temperature: float, index: FeatureIndex) -> "
                   "tuple[NDArray[numpy.uint32], NDArray[numpy.float64]]"),
           "(ids, values) of the expected feature vector.")
      .def("edge_features", &edge_features, "edge"_a, "index"_a,
           nb::sig("def edge_features(self, edge: int, index: FeatureIndex) -> "
                   "tuple[NDArray[numpy.uint32], NDArray[numpy.float64]]"),
           "(ids, values) of the features of one edge.")
      .def("prune", &prune, "threshold"_a, "temperature"_a,
           nb::call_guard<nb::gil_scoped_release>(), "Without edges of a smaller posterior.")
      .def("prune_to", &prune_to, "edges"_a, "strings"_a = 0,
           nb::call_guard<nb::gil_scoped_release>(),
           "With so many edges: those of the best derivations.")
      .def("pack", &packed, "The graph in few bytes, for whoever has its model.");

  module.def("save_hypergraph", &save_hypergraph, "path"_a, "graph"_a, "index"_a,
             nb::call_guard<nb::gil_scoped_release>(), "Write a file: complete or not at all.");
  module.def("load_hypergraph", &load_hypergraph, "path"_a, "index"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Read a file; adds the names of its features to the index.");
}

void bind_forest_files(nb::module_& module) {
  nb::class_<ForestFileWriter>(module, "ForestFileWriter",
                               "Writes packed hypergraphs to a file, which appears when complete.")
      .def(nb::init<const std::string&, std::string, std::uint64_t>(), "path"_a, "key"_a, "limit"_a)
      .def("__len__", &ForestFileWriter::size)
      .def("add", &ForestFileWriter::add, "number"_a, "graph"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "Keep a hypergraph unless the file would become larger than `limit`; whether it does.")
      .def("finish", &ForestFileWriter::finish, nb::call_guard<nb::gil_scoped_release>());

  nb::class_<ForestFile>(module, "ForestFile", "Packed hypergraphs in a mapped file.")
      .def(nb::init<const std::string&, std::string_view>(), "path"_a, "key"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &ForestFile::size)
      .def(
          "find",
          [](const ForestFile& file, std::uint32_t number) {
            const std::string_view record = file.find(number);
            return nb::bytes(record.data(), record.size());
          },
          "number"_a, "The packed hypergraph of a number; empty if it was not kept.");

  module.def("unpack_rules", &rules_of_packed, "packed"_a, "like"_a, "features"_a,
             "The rules of a packed hypergraph, with the vocabularies of a grammar.");
}

void bind_lists(nb::module_& module) {
  nb::class_<KBestList>(module, "KBestList", "Hypotheses of one sentence as flat arrays.")
      .def("__len__", [](const KBestList& list) { return list.size(); })
      .def("number_features", &KBestList::number_features, "index"_a,
           "Give the features their ids, adding new ones to the index; for one sentence after the "
           "other.")
      .def_ro("source_words", &KBestList::source_words, "Words of the source sentence.")
      .def_ro("graph", &KBestList::forest, "Identity of the hypergraph.")
      .def_ro("vocabulary", &KBestList::vocabulary)
      .def("sentence", &hypothesis_words, "i"_a, "Words of hypothesis i.")
      .def("to_text", &to_text, "number"_a, "index"_a,
           "`number ||| words ||| Name=value ... ||| score` lines, with the names of an index.")
      .def_prop_ro(
          "scores",
          [](nb::handle self) { return array(nb::cast<const KBestList&>(self).scores, self); })
      .def_prop_ro(
          "word_begins",
          [](nb::handle self) { return array(nb::cast<const KBestList&>(self).word_begins, self); })
      .def_prop_ro(
          "words",
          [](nb::handle self) { return array(nb::cast<const KBestList&>(self).words, self); })
      .def_prop_ro(
          "row_begins",
          [](nb::handle self) { return array(nb::cast<const KBestList&>(self).row_begins, self); })
      .def_prop_ro(
          "features",
          [](nb::handle self) { return array(nb::cast<const KBestList&>(self).features, self); })
      .def_prop_ro(
          "values",
          [](nb::handle self) { return array(nb::cast<const KBestList&>(self).values, self); })
      .def_prop_ro(
          "edge_begins",
          [](nb::handle self) { return array(nb::cast<const KBestList&>(self).edge_begins, self); })
      .def_prop_ro("edges", [](nb::handle self) {
        return array(nb::cast<const KBestList&>(self).edges, self);
      });

  module.def("kbest", &list_kbest, "graph"_a, "k"_a, "unique"_a,
             nb::call_guard<nb::gil_scoped_release>(), "The k best derivations.");
  module.def(
      "sample",
      [](const Hypergraph& graph, std::size_t count, double temperature, std::uint64_t seed) {
        return list_derivations(graph, sample(graph, count, temperature, seed));
      },
      "graph"_a, "count"_a, "temperature"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Derivations in proportion to exp(score / temperature).");

  nb::class_<Decoder>(module, "NativeDecoder",
                      "Chart parsing and cube pruning; for any number of threads.")
      .def("__init__", &new_decoder, "lm"_a, "options"_a, "further"_a = FurtherModels(),
           "whole"_a.none() = nb::none())
      .def("decode", &decode, "words"_a, "grammar"_a, "features"_a.none(), "index"_a, "weights"_a,
           "forced"_a = Forced())
      .def("decode_reference", &decode_reference, "words"_a, "reference"_a, "grammar"_a,
           "features"_a.none(), "index"_a, "weights"_a,
           "All derivations of the grammar that yield a reference; None: there is none.")
      .def("unpack", &unpack, "packed"_a, "words"_a, "grammar"_a, "features"_a.none(), "index"_a,
           "weights"_a, "A packed hypergraph under these weights; `grammar`: of unpack_rules.");
}

}  // namespace

void bind_decode(nb::module_& module) {
  bind_decode_options(module);
  bind_hypergraph(module);
  bind_forest_files(module);
  bind_lists(module);
}
