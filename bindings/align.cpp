#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "align/aligner.hpp"
#include "align/model.hpp"
#include "align/symmetrize.hpp"
#include "arrays.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using LinkArray = nb::ndarray<nb::numpy, std::uint16_t, nb::ndim<2>>;
using Probabilities = nb::ndarray<nb::numpy, float, nb::ndim<1>>;
using Starts = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>;

std::tuple<LinkArray, Probabilities, Starts> align_bitext(
    const Bitext& text, const AlignerOptions& options, const std::string& heuristic,
    std::uint64_t seed, unsigned threads, const std::string& model, const OnSweep& on_sweep) {
  AlignedLinks aligned;
  {
    const nb::gil_scoped_release release;
    aligned =
        align_corpus(text, options, heuristic_by_name(heuristic), seed, threads, model, on_sweep);
  }
  return {own_rows<std::uint16_t>(std::move(aligned.links)),
          own_array(std::move(aligned.probabilities)), own_array(std::move(aligned.starts))};
}

std::tuple<LinkArray, Probabilities> align_pair(const AlignmentModel& model,
                                                std::string_view source, std::string_view target,
                                                const std::string& heuristic) {
  std::vector<Link> links;
  std::vector<float> probabilities;
  {
    const nb::gil_scoped_release release;
    for (const ScoredLink& link :
         links_of(model.align(source, target), heuristic_by_name(heuristic))) {
      links.push_back(link.link);
      probabilities.push_back(link.probability);
    }
  }
  return {own_rows<std::uint16_t>(std::move(links)), own_array(std::move(probabilities))};
}

// Positions from 1, 0 for none, as other aligners have them.
std::vector<std::uint16_t> from_one(const std::vector<std::uint16_t>& positions,
                                    std::size_t other) {
  std::vector<std::uint16_t> result;
  for (const std::uint16_t position : positions) {
    if (position > other) throw nb::value_error("position out of range");
    result.push_back(position == 0 ? kNoLink : static_cast<std::uint16_t>(position - 1));
  }
  return result;
}

LinkArray symmetrize_pair(const std::vector<std::uint16_t>& by_target,
                          const std::vector<std::uint16_t>& by_source,
                          const std::string& heuristic) {
  return own_rows<std::uint16_t>(symmetrize(from_one(by_target, by_source.size()),
                                            from_one(by_source, by_target.size()),
                                            heuristic_by_name(heuristic)));
}

}  // namespace

void bind_align(nb::module_& m) {
  nb::class_<AlignerOptions>(m, "AlignerOptions")
      .def(nb::init<>())
      .def_rw("samplers", &AlignerOptions::samplers)
      .def_rw("iterations", &AlignerOptions::iterations)
      .def_rw("null_prior", &AlignerOptions::null_prior)
      .def_rw("threshold", &AlignerOptions::threshold);
  m.def("align_bitext", &align_bitext, "text"_a, "options"_a, "heuristic"_a, "seed"_a, "threads"_a,
        "model"_a, "on_sweep"_a,
        "Align all pairs; returns (links, probabilities, ends of the pairs in them). model: file "
        "to write, or ''. on_sweep(done, all) is called as the samplers go on.");
  m.def("symmetrize", &symmetrize_pair, "by_target"_a, "by_source"_a, "heuristic"_a,
        "Links of both directions of a pair, positions from 1, 0 for none.");
  nb::class_<AlignmentModel>(m, "AlignmentModel")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("align", &align_pair, "source"_a, "target"_a, "heuristic"_a,
           "(links, probabilities) of a new pair.")
      .def(
          "known",
          [](const AlignmentModel& model, const std::vector<std::string>& words, bool is_source) {
            const Vocab& vocab = is_source ? model.source_vocab() : model.target_vocab();
            std::size_t known = 0;
            for (const std::string& word : words) known += vocab.find(word).has_value();
            return known;
          },
          "words"_a, "is_source"_a, "How many of these words the model knows.");
}
