#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "learn/feature_columns.hpp"
#include "learn/perceptron.hpp"
#include "module.hpp"
#include "named_list.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using MutableArray = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PairArray = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::span<const double> span(const WeightArray& array) { return {array.data(), array.size()}; }
std::span<double> span(const MutableArray& array) { return {array.data(), array.size()}; }

auto pairs(const WeightArray& metric, const WeightArray& model, const WeightArray& wer, const PairOptions& options, std::uint64_t seed) {
  return own_rows<std::uint32_t>(make_pairs(span(metric), span(model), span(wer), options, seed));
}

UpdateCounts update(Perceptron& perceptron, const NamedList& list, const PairArray& pairs, const WeightArray& metric, const FeatureIndex& index, const MutableArray& weights, const MutableArray& gradient) {
  static_assert(sizeof(Pair) == 2 * sizeof(std::uint32_t));
  const std::span<const Pair> all(reinterpret_cast<const Pair*>(pairs.data()), pairs.shape(0));
  const nb::gil_scoped_release release;
  return perceptron.update(list.list, all, span(metric), index, span(weights), span(gradient));
}

nb::bytes select_columns(const FeatureColumns& columns, const FeatureColumns::Selection& selection) {
  std::string packed;
  {
    const nb::gil_scoped_release release;
    packed = columns.select(selection);
  }
  return nb::bytes(packed.data(), packed.size());
}

void add(FeatureColumns& columns, const nb::bytes& packed) {
  const std::string_view bytes(packed.c_str(), packed.size());
  const nb::gil_scoped_release release;
  columns.add(bytes);
}

}  // namespace

void bind_learn(nb::module_& module) {
  nb::class_<PairOptions>(module, "PairOptions", "Which hypotheses are compared; documented in demotic.learn.PairOptions.")
      .def("__init__", [](PairOptions* place, std::string_view sampling, double level, double threshold, std::uint32_t samples, std::uint32_t kept) {
        new (place) PairOptions{pair_sampling(sampling), level, threshold, samples, kept};
        place->check();
      }, "sampling"_a, "level"_a, "threshold"_a, "samples"_a, "kept"_a);
  module.def("make_pairs", &pairs, "metric"_a, "model"_a, "wer"_a, "options"_a, "seed"_a,
             nb::sig("def make_pairs(metric: NDArray[numpy.float64], model: NDArray[numpy.float64], wer: NDArray[numpy.float64], options: PairOptions, seed: int) -> NDArray[numpy.uint32]"),
             "(better, worse) of every pair, in the order of learning.");

  nb::class_<UpdateCounts>(module, "UpdateCounts", "What a list of pairs did to the weights.")
      .def_ro("pairs", &UpdateCounts::pairs)
      .def_ro("errors", &UpdateCounts::errors, "Pairs that the model ranked the wrong way round, or equal.")
      .def_ro("updates", &UpdateCounts::updates);
  nb::class_<Perceptron>(module, "Perceptron", "The ranking perceptron on the pairs of a list.")
      .def("__init__", [](Perceptron* place, double rate, double margin, bool frozen, bool scale, bool dense, bool sparse) {
        new (place) Perceptron({rate, margin, frozen, scale, dense && sparse ? Learnable::kAll : dense ? Learnable::kDense : Learnable::kSparse});
      }, "learning_rate"_a, "margin"_a, "frozen"_a, "scale"_a, "dense"_a, "sparse"_a)
      .def("update", &update, "kbest"_a, "pairs"_a, "metric"_a, "index"_a, "weights"_a, "gradient"_a, "Learn from one list; weights and gradient are changed in place.");

  nb::class_<FeatureColumns::Selection>(module, "Selection", "Which columns are kept; documented in demotic.learn.SelectionOptions.")
      .def("__init__", [](FeatureColumns::Selection* place, std::string_view norm, std::uint64_t k, double threshold, double shrinkage, bool keep_dense, bool zeros) {
        new (place) FeatureColumns::Selection{column_norm(norm), k, threshold, shrinkage, keep_dense, zeros};
      }, "norm"_a = "l2", "k"_a = 0, "threshold"_a = 0.0, "shrinkage"_a = 0.0, "keep_dense"_a = false, "zeros"_a = false);
  nb::class_<FeatureColumns>(module, "FeatureColumns", "The weights of shards, reduced column by column.")
      .def(nb::init<>())
      .def("add", &add, "packed"_a, "Take in the packed weights of the next shard.")
      .def_prop_ro("shards", &FeatureColumns::shards)
      .def_prop_ro("features", &FeatureColumns::features, "Distinct features seen.")
      .def("l1_l2_norm", &FeatureColumns::l1_l2_norm, "Sum of the l2 norms of the columns.")
      .def("norm", [](const FeatureColumns& columns, std::string_view feature, std::string_view norm) { return columns.norm(feature, column_norm(norm)); }, "feature"_a, "norm"_a = "l2")
      .def("select", &select_columns, "selection"_a, "Packed mean over shards of the selected columns.");
}
