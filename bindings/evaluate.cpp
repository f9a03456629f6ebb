#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "evaluate/references.hpp"
#include "module.hpp"
#include "named_list.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using StatisticsArray = nb::ndarray<const std::int32_t, nb::shape<-1, kBleuColumns>, nb::c_contig, nb::device::cpu>;
using SumsArray = nb::ndarray<const double, nb::shape<kBleuColumns>, nb::c_contig, nb::device::cpu>;

std::span<const BleuStatistics> rows(const StatisticsArray& statistics) {
  return {reinterpret_cast<const BleuStatistics*>(statistics.data()), statistics.shape(0)};
}

template <class Metric>
auto score_rows(const StatisticsArray& statistics, Metric metric) {
  std::vector<double> scores;
  {
    const nb::gil_scoped_release release;
    scores.reserve(statistics.shape(0));
    for (const BleuStatistics& counts : rows(statistics)) scores.push_back(metric(counts));
  }
  return own_array(std::move(scores));
}

auto statistics(const References& references, const NamedList& list) {
  std::vector<BleuStatistics> all;
  {
    const nb::gil_scoped_release release;
    all = references.statistics(list.list);
  }
  return own_rows<std::int32_t>(std::move(all));
}

auto statistics_of(const References& references, const std::vector<std::string>& words) {
  const BleuStatistics counts = references.statistics(references.ids(words));
  const auto* first = reinterpret_cast<const std::int32_t*>(&counts);
  return own_array(std::vector<std::int32_t>(first, first + kBleuColumns));
}

auto wer(const References& references, const NamedList& list) {
  std::vector<double> all;
  {
    const nb::gil_scoped_release release;
    all = references.wer(list.list);
  }
  return own_array(std::move(all));
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  nb::class_<References>(module, "References", "The references of one sentence; documented in demotic.evaluate.References.")
      .def(nb::init<std::vector<std::vector<std::string>>>(), "references"_a)
      .def("statistics", &statistics, "list"_a, "One row of n-gram statistics per hypothesis.")
      .def("statistics_of", &statistics_of, "words"_a, "N-gram statistics of one sentence.")
      .def("wer", &wer, "list"_a, "Word error rate of every hypothesis.");

  module.def("liang_bleu", [](const StatisticsArray& statistics) { return score_rows(statistics, liang_bleu); }, "statistics"_a, "Liang et al. (2006), of every row.");
  module.def("bleu_plus_one", [](const StatisticsArray& statistics) { return score_rows(statistics, bleu_plus_one); }, "statistics"_a, "Lin and Och (2004), of every row.");
  module.def("nakov_bleu", [](const StatisticsArray& statistics) { return score_rows(statistics, nakov_bleu); }, "statistics"_a, "Nakov et al. (2012), of every row.");
  module.def("pseudo_document_bleu", [](const SumsArray& document, const StatisticsArray& statistics) {
        const BleuSums& sums = *reinterpret_cast<const BleuSums*>(document.data());
        return score_rows(statistics, [&](const BleuStatistics& counts) { return pseudo_document_bleu(sums, counts); });
      }, "document"_a, "statistics"_a, "Chiang et al. (2008), of every row.");
}
