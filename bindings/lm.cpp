#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "lm/arpa_reader.hpp"
#include "lm/arpa_writer.hpp"
#include "lm/counter.hpp"
#include "lm/estimate.hpp"
#include "lm/fold_trainer.hpp"
#include "lm/model.hpp"
#include "lm/model_builder.hpp"
#include "lm/model_file.hpp"
#include "lm/model_lister.hpp"
#include "lm/score_text.hpp"
#include "lm/vocabulary.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using Release = nb::call_guard<nb::gil_scoped_release>;
using Folds = nb::ndarray<const Fold, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void new_counter(NgramCounter* self, unsigned order, unsigned threads, std::uint64_t memory,
                 std::string temporary, bool folds, const Vocab* vocabulary) {
  CounterOptions options{order, threads, memory, std::move(temporary), folds};
  new (self) NgramCounter(std::move(options), vocabulary != nullptr ? *vocabulary : special_words(),
                          vocabulary != nullptr);
}

void count(NgramCounter& counter, const nb::bytes& lines, const std::optional<Folds>& folds) {
  const std::string_view text = text_of(lines);
  const std::span<const Fold> values =
      folds ? std::span(folds->data(), folds->size()) : std::span<const Fold>();
  const nb::gil_scoped_release release;
  counter.add(text, values);
}

Estimate estimate_model(const SuffixTrie& trie, const Vocab& vocab,
                        std::vector<std::uint32_t> prune, unsigned threads, bool first_words) {
  Estimate result;
  Estimator(trie, vocab, {std::move(prune), threads, first_words}).run(std::nullopt, result);
  return result;
}

std::vector<std::size_t> sizes(const Ngrams& ngrams) {
  std::vector<std::size_t> result;
  for (const auto& level : ngrams.levels) result.push_back(level.size());
  return result;
}

// `write` is a Python function; it is called with the GIL held, the formatting runs without it.
void arpa(const Ngrams& ngrams, const nb::typed<nb::callable, void(nb::bytes)>& write,
          unsigned threads) {
  const nb::gil_scoped_release release;
  write_arpa(ngrams, threads, [&](std::string_view text) {
    const nb::gil_scoped_acquire acquire;
    write(nb::bytes(text.data(), text.size()));
  });
}

// Scores of many sentences as four arrays.
template <class T>
auto column(const std::vector<SentenceScore>& scores, T SentenceScore::* member) {
  std::vector<T> values;
  for (const SentenceScore& score : scores) values.push_back(score.*member);
  return own_array(std::move(values));
}

auto score_block(const Model& model, const nb::bytes& lines, unsigned threads) {
  std::vector<SentenceScore> scores;
  {
    const std::string_view text = text_of(lines);
    const nb::gil_scoped_release release;
    scores = score_lines(model, text, threads);
  }
  return std::tuple(column(scores, &SentenceScore::log10_prob),
                    column(scores, &SentenceScore::oov_log10_prob),
                    column(scores, &SentenceScore::words), column(scores, &SentenceScore::oov));
}

auto word_details(const Model& model, std::string_view line) {
  std::vector<std::tuple<float, unsigned, bool>> result;
  for (const WordDetail& detail : score_words(model, line))
    result.emplace_back(detail.log10_prob, detail.matched, detail.oov);
  return result;
}

void bind_counting(nb::module_& module) {
  nb::class_<SuffixTrie>(module, "SuffixTrie", "All n-grams of a text with their counts.")
      .def_prop_ro("order", &SuffixTrie::order);

  nb::class_<NgramCounter>(module, "NgramCounter", "Counts the n-grams of text.")
      .def("__init__", &new_counter, "order"_a, "threads"_a, "memory"_a, "temporary"_a, "folds"_a,
           "vocabulary"_a.none())
      .def("begin_file", &NgramCounter::begin_file, "path"_a,
           "Errors in what follows name this file.")
      .def("add", &count, "lines"_a, "folds"_a.none(),
           "Add sentences, UTF-8, one per line, with the fold of each.")
      .def("finish", &NgramCounter::finish, Release(),
           "Sort and count; the counter is empty afterwards.")
      .def_prop_ro("sentences", &NgramCounter::sentences)
      .def_prop_ro("words", &NgramCounter::words)
      .def_prop_ro("runs", &NgramCounter::runs, "Sorted blocks that went to disk.")
      .def_prop_ro("vocab", &NgramCounter::vocab, nb::rv_policy::reference_internal);
  module.def("frequent_words", &frequent_words, "counts"_a, "vocab"_a, "limit"_a,
             "The most frequent words of a text.");
}

void bind_estimation(nb::module_& module) {
  nb::class_<Discounts>(module, "Discounts", "Kneser-Ney discounts of one order.")
      .def_prop_ro(
          "amounts",
          [](const Discounts& d) { return std::tuple(d.amount[1], d.amount[2], d.amount[3]); },
          "For adjusted counts 1, 2, 3 and more.")
      .def_ro("fallback", &Discounts::fallback, "The closed form was undefined.");
  nb::class_<Ngrams>(module, "Ngrams", "A model as a list of n-grams.")
      .def_prop_ro("order", &Ngrams::order)
      .def_prop_ro("counts", &sizes, "Number of n-grams of each order.")
      .def("write_arpa", &arpa, "write"_a, "threads"_a,
           "Call write(bytes) with the parts of an ARPA file.");
  nb::class_<Estimate>(module, "Estimate", "An estimated model.")
      .def_ro("discounts", &Estimate::discounts)
      .def_ro("ngrams", &Estimate::ngrams, nb::rv_policy::reference_internal);
  module.def("estimate", &estimate_model, "trie"_a, "vocab"_a, "prune"_a, "threads"_a,
             "first_words"_a, Release(), "Interpolated modified Kneser-Ney estimation.");
  module.def(
      "build_model", [](Ngrams& ngrams) { return ModelBuilder().build(ngrams, true); }, "ngrams"_a,
      Release(), "Make n-grams ready for queries; they are used up.");
  nb::class_<FoldTrainer>(
      module, "FoldTrainer",
      "Builds models without one fold each, one after the other in the same memory.")
      .def(nb::init<const SuffixTrie&, const Vocab&, std::vector<std::uint32_t>>(), "trie"_a,
           "vocab"_a, "prune"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("train", &FoldTrainer::train, "without"_a, "path"_a, Release(),
           nb::rv_policy::reference_internal,
           "Write the model; the estimate is valid until the next call.");

  nb::class_<ArpaReader>(module, "ArpaReader", "Reads ARPA files in parts.")
      .def(nb::init<std::string>(), "path"_a)
      .def(
          "add",
          [](ArpaReader& reader, const nb::bytes& block) {
            const std::string_view text = text_of(block);
            const nb::gil_scoped_release release;
            reader.add(text);
          },
          "block"_a)
      .def("finish", &ArpaReader::finish, Release())
      .def_prop_ro("has_unknown", &ArpaReader::has_unknown);
}

void bind_states(nb::module_& module) {
  nb::class_<ChartState>(module, "ChartState",
                         "Left and right language-model state of a piece of a sentence.")
      .def(nb::init<>(), "The empty piece.")
      .def_prop_ro(
          "left", [](const ChartState& state) { return state.left.ngram(); },
          "Id of the n-gram of words that may still change.")
      .def_prop_ro(
          "full", [](const ChartState& state) { return state.left.full(); },
          "The piece goes on after those words.")
      .def_ro("right", &ChartState::right, "Right state.")
      .def(
          "__eq__",
          [](const ChartState& a, const nb::object& b) {
            return nb::isinstance<ChartState>(b) && a == nb::cast<ChartState>(b);
          },
          nb::arg().none())
      .def("__hash__", [](const ChartState& state) { return std::hash<ChartState>()(state) >> 2; });
}

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A language model in use.")
      .def_static("map", &map_model, "path"_a, Release(), "Use a binary file in place.")
      .def("write", &write_model, "path"_a, Release(),
           "Write a binary file: complete or not at all.")
      .def("ngrams", &list_ngrams, Release(), "The n-grams, to be written as ARPA.")
      .def_prop_ro("order", &Model::order)
      .def_prop_ro("counts",
                   [](const Model& model) {
                     return std::vector<std::uint64_t>(model.arrays().counts.begin(),
                                                       model.arrays().counts.end());
                   })
      .def(
          "__contains__",
          [](const Model& model, std::string_view word) {
            return !Model::is_oov(model.word(word));
          },
          "word"_a)
      .def(
          "score_sentence",
          [](const Model& model, std::string_view line) {
            return score_sentence(model, line).log10_prob;
          },
          "line"_a)
      .def("score_words", &word_details, "line"_a,
           "(log10 probability, length of the n-gram found, unknown) of each word, </s> last.")
      .def("score_block", &score_block, "lines"_a, "threads"_a,
           "Per line: log10 probability, the part of unknown words in it, words, unknown words.")
      .def("begin_state", &Model::begin_state)
      .def(
          "score_word",
          [](const Model& model, NgramId state, std::string_view word) {
            const WordScore scored = model.score(state, model.word(word));
            return std::pair(scored.prob, scored.state);
          },
          "state"_a, "word"_a)
      .def(
          "score_end",
          [](const Model& model, NgramId state) { return model.score(state, kEnd).prob; },
          "state"_a)
      .def("begin_piece", &Model::begin_piece)
      .def(
          "append",
          [](const Model& model, ChartState piece, std::string_view word) {
            const float change = model.append(piece, model.word(word));
            return std::pair(change, piece);
          },
          "piece"_a, "word"_a)
      .def(
          "merge",
          [](const Model& model, ChartState first, ChartState second) {
            const Merged merged = model.merge(first, second);
            return std::pair(merged.change, merged.state);
          },
          "first"_a, "second"_a);
}

}  // namespace

void bind_lm(nb::module_& module) {
  bind_counting(module);
  bind_estimation(module);
  bind_states(module);
  bind_model(module);
}
