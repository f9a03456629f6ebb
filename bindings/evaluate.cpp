#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <optional>

#include "arrays.hpp"
#include "base/error.hpp"
#include "evaluate/bleu_metric.hpp"
#include "evaluate/chrf_metric.hpp"
#include "evaluate/linear_bleu.hpp"
#include "evaluate/mbr.hpp"
#include "evaluate/oracle.hpp"
#include "evaluate/resampling.hpp"
#include "evaluate/ter_metric.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using StatisticsArray =
    nb::ndarray<const std::int32_t, nb::shape<-1, kBleuColumns>, nb::c_contig, nb::device::cpu>;
using SumsArray = nb::ndarray<const double, nb::shape<kBleuColumns>, nb::c_contig, nb::device::cpu>;

std::span<const BleuStatistics> rows(const StatisticsArray& statistics) {
  return {reinterpret_cast<const BleuStatistics*>(statistics.data()), statistics.shape(0)};
}

// By the names that demotic.evaluate.sentence_metric takes.
void new_metric(SentenceBleu* place, std::string_view name,
                const std::optional<SumsArray>& document) {
  static constexpr std::array<std::pair<std::string_view, SentenceBleu::Kind>, 4> kNames = {
      {{"liang", SentenceBleu::Kind::kLiang},
       {"bleu+1", SentenceBleu::Kind::kPlusOne},
       {"nakov", SentenceBleu::Kind::kNakov},
       {"pseudo", SentenceBleu::Kind::kPseudoDocument}}};
  const auto found = std::ranges::find(kNames, name, [](const auto& entry) { return entry.first; });
  if (found == kNames.end())
    throw Error("no form of sentence BLEU is called '" + std::string(name) + "'");
  new (place) SentenceBleu{found->second, {}};
  if (document) {
    place->document = *reinterpret_cast<const BleuSums*>(document->data());
  }
}

auto score_rows(const SentenceBleu& metric, const StatisticsArray& statistics) {
  std::vector<double> scores;
  {
    const nb::gil_scoped_release release;
    scores.reserve(statistics.shape(0));
    for (const BleuStatistics& counts : rows(statistics)) scores.push_back(metric(counts));
  }
  return own_array(std::move(scores));
}

using SumsOfCounts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CountRows = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

double score_of_sums(const Metric& metric, const SumsOfCounts& sums) {
  if (sums.size() != metric.columns()) throw Error("statistics of another metric");
  return metric.score({sums.data(), sums.size()});
}

auto scores_of_rows(const Metric& metric, const CountRows& statistics) {
  if (statistics.shape(1) != metric.columns()) throw Error("statistics of another metric");
  std::vector<double> scores;
  {
    const nb::gil_scoped_release release;
    scores.reserve(statistics.shape(0));
    std::vector<std::int64_t> sums(metric.columns());
    for (std::size_t i = 0; i < statistics.shape(0); ++i) {
      std::copy_n(statistics.data() + i * sums.size(), sums.size(), sums.begin());
      scores.push_back(metric.score(sums));
    }
  }
  return own_array(std::move(scores));
}

auto list_statistics(const Metric& metric, const References& references, const KBestList& list) {
  std::vector<std::int32_t> rows;
  {
    const nb::gil_scoped_release release;
    rows = statistics(metric, references, list);
  }
  return own_matrix(std::move(rows), list.size(), metric.columns());
}

auto wer(const References& references, const KBestList& list) {
  std::vector<double> all;
  {
    const nb::gil_scoped_release release;
    all = references.wer(list);
  }
  return own_array(std::move(all));
}

using TestSetArray = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class Resample>
auto resample(Resample function, const TestSetArray& statistics, std::size_t samples,
              std::uint64_t seed, unsigned threads) {
  const TestSet test_set{statistics.data(), statistics.shape(0), statistics.shape(1),
                         statistics.shape(2)};
  std::vector<double> sums;
  {
    const nb::gil_scoped_release release;
    sums = function(test_set, samples, seed, threads);
  }
  const auto [data, owner] = give_away(std::move(sums));
  return nb::ndarray<nb::numpy, double, nb::ndim<3>>(
      data, {samples, test_set.translations, test_set.columns}, owner);
}

using Gains = std::vector<double> (*)(const KBestList&, std::span<const double>,
                                      const SentenceBleu&);

// With posteriors of a scale, for those who choose themselves.
template <Gains gains>
auto gains_of(const KBestList& list, double scale, const SentenceBleu& metric) {
  std::vector<double> all;
  {
    const nb::gil_scoped_release release;
    all = gains(list, list_posteriors(list, scale), metric);
  }
  return own_array(std::move(all));
}

void bind_mbr(nb::module_& module) {
  nb::class_<MbrOptions>(module, "MbrOptions",
                         "What is compared; documented in demotic.decode.MbrOptions.")
      .def(
          "__init__",
          [](MbrOptions* place, std::string_view kind, double scale, std::size_t size,
             const SentenceBleu& metric) {
            new (place) MbrOptions{mbr_kind(kind), scale, size, metric};
          },
          "kind"_a, "scale"_a, "size"_a, "metric"_a);
  module.def("minimum_bayes_risk", &minimum_bayes_risk, "graph"_a, "options"_a, "count"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "The translations of largest expected gain, best first.");
  module.def("hope_and_fear", &hope_and_fear, "graph"_a, "references"_a, "scale"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "The best translation, hope and fear of a hypergraph, by linear BLEU.");
  module.def(
      "linear_bleu_forest",
      [](const Hypergraph& graph, const References& references) {
        const NgramForest forest(graph, references);
        return nb::make_tuple(Hypergraph(forest.graph()),
                              own_array(linear_bleu_of_edges(forest, references)));
      },
      "graph"_a, "references"_a,
      nb::sig("def linear_bleu_forest(graph: Hypergraph, references: References) -> "
              "tuple[Hypergraph, NDArray[numpy.float64]]"),
      "The hypergraph with nodes told apart by outer words, and linear BLEU of each of its edges.");
  module.def("linear_consensus", &linear_consensus, "graph"_a, "evidence"_a, "temperature"_a,
             "count"_a, nb::call_guard<nb::gil_scoped_release>(),
             "The translations of largest expected linear BLEU, best first.");
  module.def("expected_gains", &gains_of<expected_gains>, "list"_a, "scale"_a, "metric"_a,
             "Expected sentence BLEU of every hypothesis, each of the list taken as reference.");
  module.def("consensus_gains", &gains_of<consensus_gains>, "list"_a, "scale"_a, "metric"_a,
             "Sentence BLEU of every hypothesis against expected n-gram counts.");
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  nb::class_<References>(
      module, "References",
      "The references of one sentence; documented in demotic.evaluate.References.")
      .def(nb::init<std::vector<std::vector<std::string>>>(), "references"_a)
      .def("wer", &wer, "list"_a, "Word error rate of every hypothesis.");

  nb::class_<Metric>(module, "Metric",
                     "A metric of a corpus; documented in demotic.evaluate.Metric.")
      .def_prop_ro("columns", &Metric::columns)
      .def("score", &score_of_sums, "sums"_a, "Of a corpus: higher is better, 1 is the best.")
      .def("scores", &scores_of_rows, "statistics"_a, "Of each row as a corpus of its own.")
      .def("statistics", &list_statistics, "references"_a, "list"_a,
           "A row of statistics per hypothesis.")
      .def(
          "statistics_of",
          [](const Metric& metric, const References& references,
             const std::vector<std::string>& words) {
            return own_array(statistics(metric, references, words));
          },
          "references"_a, "words"_a, "Statistics of one sentence.");
  nb::class_<BleuMetric, Metric>(module, "BleuMetric").def(nb::init<>());
  nb::class_<TerMetric, Metric>(module, "TerMetric").def(nb::init<>());
  nb::class_<ChrfMetric, Metric>(module, "ChrfMetric").def(nb::init<>());
  nb::class_<MetricSum, Metric>(module, "MetricSum", "A weighted sum of metrics.")
      .def(nb::init<std::vector<MetricSum::Part>>(), "parts"_a);

  nb::class_<SentenceBleu>(module, "SentenceBleu", "A form of BLEU of single sentences.")
      .def("__init__", &new_metric, "name"_a, "document"_a = nb::none(),
           "`document`: statistics of the pseudo-document; other forms do not look at it.")
      .def("scores", &score_rows, "statistics"_a, "One score per row.");

  module.attr("TER_UNIT") = kTerUnit;
  bind_mbr(module);

  module.def(
      "oracle",
      [](const Hypergraph& graph, const References& references, const SentenceBleu& metric,
         std::size_t beam) {
        return list_derivations(graph, {oracle(graph, references, metric, beam)});
      },
      "graph"_a, "references"_a, "metric"_a, "beam"_a, nb::call_guard<nb::gil_scoped_release>(),
      "The derivation of best sentence metric found, as a list of one.");

  module.def(
      "bootstrap_sums",
      [](const TestSetArray& statistics, std::size_t samples, std::uint64_t seed,
         unsigned threads) { return resample(bootstrap_sums, statistics, samples, seed, threads); },
      "statistics"_a, "samples"_a, "seed"_a, "threads"_a,
      "Sums over sentences drawn with replacement; (sentence, translation, column) to (sample, "
      "translation, column).");
  module.def(
      "shuffled_sums",
      [](const TestSetArray& statistics, std::size_t samples, std::uint64_t seed,
         unsigned threads) { return resample(shuffled_sums, statistics, samples, seed, threads); },
      "statistics"_a, "samples"_a, "seed"_a, "threads"_a,
      "Sums after the translations of each sentence were put in random order.");
}
