#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "learn/expected_cost.hpp"
#include "learn/expected_linear_bleu.hpp"
#include "learn/feature_columns.hpp"
#include "learn/feature_counts.hpp"
#include "learn/max_violation.hpp"
#include "learn/mira.hpp"
#include "learn/online_grouping.hpp"
#include "learn/rampion.hpp"
#include "learn/row_differences.hpp"
#include "learn/soft_ramp.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

nb::tuple arrays_of(SparseVector vector) {
  return nb::make_tuple(own_array(std::move(vector.ids)), own_array(std::move(vector.values)));
}

nb::tuple combine(const KBestList& list, const WeightArray& coefficients) {
  SparseVector vector;
  {
    const nb::gil_scoped_release release;
    vector = combine_rows(list, span(coefficients));
  }
  return arrays_of(std::move(vector));
}

// For each id whether it may change.
nb::object mask(const LearnableFeatures& learnable, const IdArray& ids) {
  std::vector<std::uint8_t> result(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) result[i] = learnable[ids.data()[i]];
  return nb::cast(own_array(std::move(result))).attr("view")("bool");
}

// Of a loss of a list: the loss, and ids and values of its gradient.
template <class Loss>
nb::tuple loss_gradient(Loss loss) {
  LossGradient found;
  {
    const nb::gil_scoped_release release;
    found = loss();
  }
  return nb::make_tuple(found.loss, own_array(std::move(found.gradient.ids)),
                        own_array(std::move(found.gradient.values)));
}

nb::tuple soft_ramp(const KBestList& list, const WeightArray& scores, const WeightArray& costs) {
  return loss_gradient([&] { return soft_ramp3(list, span(scores), span(costs)); });
}

nb::tuple expected(const KBestList& list, const WeightArray& scores, const WeightArray& costs,
                   double temperature) {
  return loss_gradient([&] { return expected_cost(list, span(scores), span(costs), temperature); });
}

nb::tuple forest_bleu(const Hypergraph& graph, const References& references, double temperature,
                      FeatureIndex& index) {
  return loss_gradient([&] { return expected_linear_bleu(graph, references, temperature, index); });
}

nb::object counts_of(const FeatureCounts& counts, const IdArray& ids) {
  std::vector<double> result(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) result[i] = counts[ids.data()[i]];
  return nb::cast(own_array(std::move(result)));
}

nb::tuple mira(const KBestList& list, const WeightArray& scores, const WeightArray& metric,
               const LearnableFeatures& learnable, const MiraOptions& options) {
  MiraUpdate update;
  {
    const nb::gil_scoped_release release;
    update = mira_update(list, span(scores), span(metric), learnable, options);
  }
  return nb::make_tuple(own_array(std::move(update.coefficients)), update.loss, update.constraints);
}

nb::bytes select_columns(const FeatureColumns& columns,
                         const FeatureColumns::Selection& selection) {
  std::string packed;
  {
    const nb::gil_scoped_release release;
    packed = columns.select(selection);
  }
  return nb::bytes(packed.data(), packed.size());
}

void begin(FeatureColumns& columns, const nb::bytes& packed) {
  const std::string_view bytes = text_of(packed);
  const nb::gil_scoped_release release;
  columns.begin(bytes);
}

void add(FeatureColumns& columns, const nb::bytes& packed, double share) {
  const std::string_view bytes = text_of(packed);
  const nb::gil_scoped_release release;
  columns.add(bytes, share);
}

using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FreeFeatures = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps the arrays that it works on.
struct OwningGrouping {
  MutableArray weights;
  FreeFeatures is_free;
  OnlineGrouping grouping;

  OwningGrouping(MutableArray weights_, FreeFeatures is_free_, const OscarPenalty& penalty,
                 double lag)
      : weights(std::move(weights_)),
        is_free(std::move(is_free_)),
        grouping({weights.data(), weights.size()}, {is_free.data(), is_free.size()}, penalty, lag) {
  }

  GroupingCounts learn(const Offsets& begins, const Places& features, const Values& values,
                       const Offsets& order, std::uint64_t t) {
    return grouping.learn({{begins.data(), begins.size()},
                           {features.data(), features.size()},
                           {values.data(), values.size()}},
                          {order.data(), order.size()}, t);
  }
};

void bind_gradients(nb::module_& module) {
  nb::class_<LearnableFeatures>(module, "LearnableFeatures",
                                "Which weights a learner may change: all, dense or sparse.")
      .def(
          "__init__",
          [](LearnableFeatures* place, std::string_view learn) {
            new (place) LearnableFeatures(learnable(learn));
          },
          "learn"_a)
      .def("classify", &LearnableFeatures::classify, "index"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "Sort new features into dense and sparse; call it before asking for them.")
      .def("mask", &mask, "ids"_a,
           nb::sig("def mask(self, ids: NDArray[numpy.uint32]) -> NDArray[numpy.bool_]"),
           "For each id whether its weight may change.")
      .def_prop_ro(
          "dense",
          [](nb::handle self) {
            return array(nb::cast<const LearnableFeatures&>(self).dense(), self);
          },
          "Ids of all dense features.");
  module.def(
      "combine_rows", &combine, "kbest"_a, "coefficients"_a,
      nb::sig("def combine_rows(kbest: KBestList, coefficients: NDArray[numpy.float64]) -> "
              "tuple[NDArray[numpy.uint32], NDArray[numpy.float64]]"),
      "(ids, values) of the sum of coefficient x features over a list; the coefficients sum to 0.");

  module.def(
      "soft_ramp3", &soft_ramp, "kbest"_a, "scores"_a, "costs"_a,
      nb::sig(
          "def soft_ramp3(kbest: KBestList, scores: NDArray[numpy.float64], costs: "
          "NDArray[numpy.float64]) -> tuple[float, NDArray[numpy.uint32], NDArray[numpy.float64]]"),
      "(loss, ids, values) of the soft ramp 3 loss and its gradient.");
  module.def("expected_cost", &expected, "kbest"_a, "scores"_a, "costs"_a, "temperature"_a,
             nb::sig("def expected_cost(kbest: KBestList, scores: NDArray[numpy.float64], costs: "
                     "NDArray[numpy.float64], temperature: float) -> tuple[float, "
                     "NDArray[numpy.uint32], NDArray[numpy.float64]]"),
             "(loss, ids, values) of the expected cost of a list and its gradient.");
  module.def("expected_linear_bleu", &forest_bleu, "graph"_a, "references"_a, "temperature"_a,
             "index"_a,
             nb::sig("def expected_linear_bleu(graph: Hypergraph, references: References, "
                     "temperature: float, index: FeatureIndex) -> tuple[float, "
                     "NDArray[numpy.uint32], NDArray[numpy.float64]]"),
             "(loss, ids, values): 1 - expected linear BLEU of a hypergraph, and its gradient.");
  module.def(
      "max_violation",
      [](const Hypergraph& graph, const std::vector<std::string>& reference) {
        MaxViolation found;
        {
          const nb::gil_scoped_release release;
          found = max_violation(graph, reference);
        }
        return nb::make_tuple(found.is_reachable, found.violation, std::move(found.pair));
      },
      "graph"_a, "reference"_a,
      nb::sig("def max_violation(graph: Hypergraph, reference: Sequence[str]) -> tuple[bool, "
              "float, KBestList]"),
      "Whether the reference is reachable, the largest violation, and (forced, best) there.");
  module.def(
      "forced_violation",
      [](const Hypergraph& graph, const Hypergraph& forced) {
        ForcedViolation found;
        {
          const nb::gil_scoped_release release;
          found = max_violation(graph, forced);
        }
        return nb::make_tuple(found.violation, std::move(found.forced), std::move(found.best));
      },
      "graph"_a, "forced"_a,
      nb::sig("def forced_violation(graph: Hypergraph, forced: Hypergraph) -> tuple[float, "
              "KBestList, KBestList]"),
      "The largest violation of the best forced derivation, its part there, and the best one.");
  nb::class_<FeatureCounts>(module, "FeatureCounts",
                            "How often the rules that have a feature were seen in extraction.")
      .def(nb::init<>())
      .def("observe", &FeatureCounts::observe, "graph"_a, "index"_a,
           nb::call_guard<nb::gil_scoped_release>(), "Count in the grammar of a sentence.")
      .def("counts", &counts_of, "ids"_a,
           nb::sig("def counts(self, ids: NDArray[numpy.uint32]) -> NDArray[numpy.float64]"),
           "Counts of these features; 0 for those of no rule.");
}

void bind_updates(nb::module_& module) {
  nb::class_<Rampion>(module, "Rampion",
                      "The ramp loss of many lists by CCCP and subgradient descent.")
      .def(
          "__init__",
          [](Rampion* place, std::uint32_t rounds, std::uint32_t passes, double step, double l2) {
            new (place) Rampion({rounds, passes, step, l2});
          },
          "rounds"_a, "passes"_a, "step"_a, "l2"_a)
      .def(
          "add",
          [](Rampion& rampion, const KBestList& list, const WeightArray& scores,
             const WeightArray& costs) { return rampion.add(list, span(scores), span(costs)); },
          "kbest"_a, "scores"_a, "costs"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Take in a list; returns its loss.")
      .def(
          "optimize",
          [](Rampion& rampion, const MutableArray& weights, const LearnableFeatures& learnable) {
            return rampion.optimize(span(weights), learnable);
          },
          "weights"_a, "learnable"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Learn from all lists, changing weights in place; returns the number of steps.");

  nb::class_<MiraOptions>(module, "MiraOptions",
                          "Of one update; documented in demotic.learn.MiraOptions.")
      .def(
          "__init__",
          [](MiraOptions* place, double c, std::uint32_t constraints) {
            new (place) MiraOptions{c, constraints};
            place->check();
          },
          "c"_a, "constraints"_a);
  module.def("mira_update", &mira, "kbest"_a, "scores"_a, "metric"_a, "learnable"_a, "options"_a,
             nb::sig("def mira_update(kbest: KBestList, scores: NDArray[numpy.float64], metric: "
                     "NDArray[numpy.float64], learnable: LearnableFeatures, options: MiraOptions) "
                     "-> tuple[NDArray[numpy.float64], float, int]"),
             "(coefficient of every hypothesis in the update, loss of fear against hope, "
             "constraints found violated).");
}

void bind_columns(nb::module_& module) {
  nb::class_<FeatureColumns::Selection>(
      module, "Selection", "Which columns are kept; documented in demotic.learn.SelectionOptions.")
      .def(
          "__init__",
          [](FeatureColumns::Selection* place, std::string_view norm, std::uint64_t k,
             double threshold, double shrinkage, bool keep_dense, bool zeros, bool over_changed,
             double share) {
            new (place) FeatureColumns::Selection{
                column_norm(norm), k, share, threshold, shrinkage, keep_dense, zeros, over_changed};
          },
          "norm"_a = "l2", "k"_a = 0, "threshold"_a = 0.0, "shrinkage"_a = 0.0,
          "keep_dense"_a = false, "zeros"_a = false, "over_changed"_a = false, "share"_a = 0.0)
      .def_ro("over_changed", &FeatureColumns::Selection::over_changed);
  nb::class_<FeatureColumns>(module, "FeatureColumns",
                             "The weights of shards, reduced column by column.")
      .def(nb::init<>())
      .def("begin", &begin, "packed"_a,
           "Packed weights that all shards begin with; before the first shard.")
      .def("add", &add, "packed"_a, "share"_a = 1.0,
           "Take in the packed weights of the next shard; in means it counts `share` times.")
      .def_prop_ro("shards", &FeatureColumns::shards)
      .def_prop_ro("features", &FeatureColumns::features, "Distinct features seen.")
      .def(
          "norm",
          [](const FeatureColumns& columns, std::string_view feature, std::string_view norm) {
            return columns.norm(feature, column_norm(norm));
          },
          "feature"_a, "norm"_a = "l2")
      .def("select", &select_columns, "selection"_a,
           "Packed mean over shards of the selected columns.");
}

void bind_oscar(nb::module_& module) {
  nb::class_<OscarPenalty>(
      module, "OscarPenalty",
      "lambda1 sum |w_i| + lambda2 sum max(|w_i|, |w_j|) over so many weights.")
      .def(
          "__init__",
          [](OscarPenalty* place, double lambda1, double lambda2, std::uint64_t dimension) {
            new (place) OscarPenalty{lambda1, lambda2, dimension};
            place->check();
          },
          "lambda1"_a, "lambda2"_a, "dimension"_a);
  module.def(
      "oscar_prox",
      [](const MutableArray& weights, const OscarPenalty& penalty, double step) {
        OscarProx{penalty}(span(weights), step);
      },
      "weights"_a, "penalty"_a, "step"_a, nb::call_guard<nb::gil_scoped_release>(),
      "The proximal operator of OSCAR, in place; of weights at 0 only the number matters.");
  nb::class_<GroupingCounts>(module, "GroupingCounts", "What online grouping did.")
      .def_ro("steps", &GroupingCounts::steps)
      .def_ro("updates", &GroupingCounts::updates, "Forward steps that changed weights.")
      .def_ro("proximal_steps", &GroupingCounts::proximal_steps)
      .def_ro("loss", &GroupingCounts::loss, "Sum of the hinge, of each tuple before its update.");
  nb::class_<OwningGrouping>(
      module, "OnlineGrouping",
      "Forward-backward splitting on tuples; changes the weights that it is given in place.")
      .def(nb::init<MutableArray, FreeFeatures, const OscarPenalty&, double>(), "weights"_a,
           "is_free"_a, "penalty"_a, "lag"_a)
      .def("learn", &OwningGrouping::learn, "begins"_a, "features"_a, "values"_a, "order"_a, "t"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "Take rows of tuples in this order, the first as tuple number t.")
      .def(
          "shrink", [](OwningGrouping& self, double step) { self.grouping.shrink(step); }, "step"_a,
          nb::call_guard<nb::gil_scoped_release>(), "One backward step.");
}

}  // namespace

void bind_learn(nb::module_& module) {
  bind_gradients(module);
  bind_updates(module);
  bind_columns(module);
  bind_oscar(module);
}
