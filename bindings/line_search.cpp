#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "evaluate/metric.hpp"
#include "learn/hypergraph_envelope.hpp"
#include "learn/line_search.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CountMatrix = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A search keeps its arrays and its metric.
struct OwningSearch {
  Matrix features;
  Offsets begins;
  CountMatrix statistics;
  std::shared_ptr<const Metric> metric;
  LineSearch search;

  OwningSearch(Matrix features_, Offsets begins_, CountMatrix statistics_,
               std::shared_ptr<const Metric> metric_)
      : features(std::move(features_)),
        begins(std::move(begins_)),
        statistics(std::move(statistics_)),
        metric(std::move(metric_)),
        search({features.data(), features.size()}, features.shape(1),
               {begins.data(), begins.size()}, {statistics.data(), statistics.size()}, *metric) {}
};

// Curves as flat arrays: where those of each sentence begin, where each row begins to be best, the
// rows.
Optimum sweep_arrays(const Offsets& begins, const WeightArray& from, const CountMatrix& statistics,
                     const Metric& metric) {
  if (begins.size() == 0 || statistics.shape(1) != metric.columns() ||
      statistics.shape(0) != from.size())
    throw Error("curves of the wrong shape");
  const nb::gil_scoped_release release;
  std::vector<SentenceCurve> curves;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const std::int64_t first = begins.data()[i], last = begins.data()[i + 1];
    if (first < 0 || first >= last || last > static_cast<std::int64_t>(from.size()))
      throw Error("curves of the wrong shape");
    const std::int32_t* rows = statistics.data();
    const auto columns = static_cast<std::int64_t>(metric.columns());
    curves.push_back({{from.data() + first, from.data() + last},
                      {rows + first * columns, rows + last * columns}});
  }
  return sweep(curves, metric);
}

nb::tuple curve(const std::vector<const Hypergraph*>& graphs,
                const std::vector<WeightArray>& slopes, const References& references,
                const Metric& metric) {
  std::vector<std::span<const double>> views;
  for (const WeightArray& each : slopes) views.push_back(span(each));
  SentenceCurve result;
  {
    const nb::gil_scoped_release release;
    result = hypergraph_curve(graphs, views, references, metric);
  }
  const std::size_t rows = result.from.size();
  return nb::make_tuple(own_array(std::move(result.from)),
                        own_matrix(std::move(result.statistics), rows, metric.columns()));
}

}  // namespace

void bind_line_search(nb::module_& module) {
  nb::class_<Optimum>(module, "Optimum", "The best interval of a line search.")
      .def_ro("gamma", &Optimum::gamma)
      .def_ro("score", &Optimum::score)
      .def_ro("low", &Optimum::low)
      .def_ro("high", &Optimum::high);
  nb::class_<OwningSearch>(module, "LineSearch",
                           "Exact line search on lists of hypotheses with dense features.")
      .def(nb::init<Matrix, Offsets, CountMatrix, std::shared_ptr<const Metric>>(), "features"_a,
           "begins"_a, "statistics"_a, "metric"_a)
      .def(
          "search",
          [](const OwningSearch& self, const WeightArray& point, const Matrix& directions,
             unsigned threads) {
            return self.search.search(span(point), {directions.data(), directions.size()}, threads);
          },
          "point"_a, "directions"_a, "threads"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
          "The optimum along each direction (rows).")
      .def(
          "score",
          [](const OwningSearch& self, const WeightArray& point) {
            return self.search.score(span(point));
          },
          "point"_a, nb::call_guard<nb::gil_scoped_release>(), "The metric at a point.");
  module.def("sweep_curves", &sweep_arrays, "begins"_a, "rows_from"_a, "statistics"_a, "metric"_a,
             "The best interval of curves of statistics.");
  module.def("hypergraph_curve", &curve, "graphs"_a, "slopes"_a, "references"_a, "metric"_a,
             nb::sig("def hypergraph_curve(graphs: list[Hypergraph], slopes: "
                     "list[NDArray[numpy.float64]], references: References, metric: Metric) -> "
                     "tuple[NDArray[numpy.float64], NDArray[numpy.int32]]"),
             "Where along a line each best derivation of a sentence begins, in any of its "
             "hypergraphs, and its statistics; slopes: of the edges of each.");
}
