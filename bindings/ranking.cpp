// Learners that rank the translations of a list: pairs, the perceptron, AdaGrad.
#include <nanobind/stl/string_view.h>

#include "arrays.hpp"
#include "learn/adagrad.hpp"
#include "learn/perceptron.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using PairArray = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::span<const Pair> pairs_of(const PairArray& array) {
  static_assert(sizeof(Pair) == 2 * sizeof(std::uint32_t));
  return {reinterpret_cast<const Pair*>(array.data()), array.shape(0)};
}

auto pairs(const WeightArray& metric, const WeightArray& model, const WeightArray& wer,
           const PairOptions& options, std::uint64_t seed) {
  return own_rows<std::uint32_t>(make_pairs(span(metric), span(model), span(wer), options, seed));
}

UpdateCounts update(Perceptron& perceptron, const KBestList& list, const PairArray& pairs,
                    const WeightArray& metric, const FeatureIndex& index,
                    const MutableArray& weights, const MutableArray& gradient) {
  const nb::gil_scoped_release release;
  return perceptron.update(list, pairs_of(pairs), span(metric), index, span(weights),
                           span(gradient));
}

void bind_pairs(nb::module_& module) {
  nb::class_<PairOptions>(module, "PairOptions",
                          "Which hypotheses are compared; documented in demotic.learn.PairOptions.")
      .def(
          "__init__",
          [](PairOptions* place, std::string_view sampling, double level, double threshold,
             std::uint32_t samples, std::uint32_t kept) {
            new (place) PairOptions{pair_sampling(sampling), level, threshold, samples, kept};
            place->check();
          },
          "sampling"_a, "level"_a, "threshold"_a, "samples"_a, "kept"_a);
  module.def(
      "make_pairs", &pairs, "metric"_a, "model"_a, "wer"_a, "options"_a, "seed"_a,
      nb::sig("def make_pairs(metric: NDArray[numpy.float64], model: NDArray[numpy.float64], wer: "
              "NDArray[numpy.float64], options: PairOptions, seed: int) -> NDArray[numpy.uint32]"),
      "(better, worse) of every pair, in the order of learning.");
}

void bind_perceptron(nb::module_& module) {
  nb::class_<UpdateCounts>(module, "UpdateCounts", "What a list of pairs did to the weights.")
      .def_ro("pairs", &UpdateCounts::pairs)
      .def_ro("errors", &UpdateCounts::errors,
              "Pairs that the model ranked the wrong way round, or equal.")
      .def_ro("updates", &UpdateCounts::updates)
      .def_ro("loss", &UpdateCounts::loss);
  nb::class_<Perceptron>(module, "Perceptron", "The ranking perceptron on the pairs of a list.")
      .def(
          "__init__",
          [](Perceptron* place, double rate, double margin, bool frozen, bool scale, bool average,
             std::string_view learn) {
            new (place) Perceptron({rate, margin, frozen, scale, average, learnable(learn)});
          },
          "learning_rate"_a, "margin"_a, "frozen"_a, "scale"_a, "average"_a, "learn"_a)
      .def("update", &update, "kbest"_a, "pairs"_a, "metric"_a, "index"_a, "weights"_a,
           "gradient"_a, "Learn from one list; weights and gradient are changed in place.")
      .def(
          "finish",
          [](const Perceptron& perceptron, const MutableArray& weights) {
            perceptron.finish(span(weights));
          },
          "weights"_a, nb::call_guard<nb::gil_scoped_release>(),
          "The end of an epoch: averages the weights in place, if asked for.");
}

void bind_adagrad(nb::module_& module) {
  nb::class_<AdaGrad>(module, "AdaGrad",
                      "AdaGrad with FOBOS on the pairs of lists; options are documented in "
                      "demotic.learn.AdaGradOptions.")
      .def(
          "__init__",
          [](AdaGrad* place, std::string_view loss, double learning_rate, double dense_rate,
             double margin, double l1, double l2, bool regularize_dense, std::uint32_t min_lists,
             bool scale, bool average, std::string_view learn) {
            new (place) AdaGrad({pair_loss(loss),
                                 learning_rate,
                                 dense_rate,
                                 margin,
                                 {l1, l2},
                                 regularize_dense,
                                 min_lists,
                                 scale,
                                 average,
                                 learnable(learn)});
          },
          nb::kw_only(), "loss"_a, "learning_rate"_a, "dense_rate"_a, "margin"_a, "l1"_a, "l2"_a,
          "regularize_dense"_a, "min_lists"_a, "scale"_a, "average"_a, "learn"_a)
      .def(
          "update",
          [](AdaGrad& adagrad, const KBestList& list, const PairArray& pairs,
             const WeightArray& metric, const FeatureIndex& index, const MutableArray& weights) {
            return adagrad.update(list, pairs_of(pairs), span(metric), index, span(weights));
          },
          "kbest"_a, "pairs"_a, "metric"_a, "index"_a, "weights"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Learn from one list; weights are changed in place.")
      .def(
          "descend",
          [](AdaGrad& adagrad, const IdArray& ids, const WeightArray& gradient,
             const FeatureIndex& index, const MutableArray& weights) {
            adagrad.descend({ids.data(), ids.size()}, span(gradient), index, span(weights));
          },
          "ids"_a, "gradient"_a, "index"_a, "weights"_a, nb::call_guard<nb::gil_scoped_release>(),
          "A step along the gradient of any loss of a sentence; weights are changed in place.")
      .def(
          "finish",
          [](AdaGrad& adagrad, const MutableArray& weights) { adagrad.finish(span(weights)); },
          "weights"_a, nb::call_guard<nb::gil_scoped_release>(),
          "The end of an epoch: all proximal steps are taken and, if asked for, weights averaged.")
      .def(
          "squares", [](const AdaGrad& adagrad) { return own_array(adagrad.squares()); },
          "By id, the sum of the squares of gradients so far.")
      .def(
          "set_squares",
          [](AdaGrad& adagrad, const WeightArray& squares) { adagrad.set_squares(span(squares)); },
          "squares"_a, "Go on from the sums of squares of an earlier epoch.");
}

}  // namespace

void bind_ranking(nb::module_& module) {
  bind_pairs(module);
  bind_perceptron(module);
  bind_adagrad(module);
}
