#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "grammar/index.hpp"
#include "grammar/longest_match.hpp"
#include "grammar/mask.hpp"
#include "grammar/pair_scores.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

nb::typed<nb::list, nb::str> words_of(std::span<const Token> sentence, const Vocab& vocab) {
  nb::typed<nb::list, nb::str> words;
  for (const Token token : sentence) {
    const auto word = vocab.word(token - 1);
    words.append(nb::str(word.data(), word.size()));
  }
  return words;
}

GrammarIndex::Place place_of(const GrammarIndex& index, std::size_t i) {
  if (i >= index.size()) throw nb::index_error("sentence number out of range");
  return index.place_of(i);
}

nb::typed<nb::list, nb::str> source_words(const GrammarIndex& index, std::size_t i) {
  const auto [part, sentence] = place_of(index, i);
  return words_of(index.parts()[part].source.sentence(sentence), *index.source_vocab());
}

nb::typed<nb::list, nb::str> target_words(const GrammarIndex& index, std::size_t i) {
  const auto [part, sentence] = place_of(index, i);
  return words_of(index.parts()[part].target.sentence(sentence), *index.target_vocab());
}

std::vector<std::pair<int, int>> links(const GrammarIndex& index, std::size_t i) {
  const auto [in, sentence] = place_of(index, i);
  const IndexPart& part = index.parts()[in];
  std::vector<std::pair<int, int>> all;
  if (part.has_record(sentence))
    for (const auto& [source, target] : part.record(sentence).links())
      all.emplace_back(source, target);
  return all;
}

std::shared_ptr<const GrammarIndex> with_additions(
    const GrammarIndex& index,
    const std::vector<std::tuple<std::string, std::string, std::string>>& additions) {
  const nb::gil_scoped_release release;
  std::vector<AddedPair> pairs;
  for (const auto& [source, target, links] : additions) pairs.push_back({source, target, links});
  return std::make_shared<const GrammarIndex>(index, pairs);
}

// One side of an index, for questions about its text.
struct IndexSide {
  const GrammarIndex& index;
  bool is_target;

  std::vector<WordId> ids(const std::vector<std::string>& words) const {
    const Vocab& vocab = is_target ? *index.target_vocab() : *index.source_vocab();
    std::vector<WordId> found;
    for (const std::string& word : words) found.push_back(vocab.find(word).value_or(kNoWord));
    return found;
  }
  // Calls visit(text, number of its first sentence) for the file and for the additions.
  template <class Visit>
  void for_each_text(Visit visit) const {
    std::uint32_t first = 0;
    for (const IndexPart& part : index.parts()) {
      visit(is_target ? part.target : part.source, first);
      first += static_cast<std::uint32_t>(part.size());
    }
  }
};

auto find_longest(const GrammarIndex& index, const std::vector<std::string>& words, bool target) {
  const IndexSide side{index, target};
  Match best;
  side.for_each_text([&, ids = side.ids(words)](const IndexedText& text, std::uint32_t first) {
    Match match = longest_match(text, ids);
    match.sentence += match.length > 0 ? first : 0;
    if (match.length > best.length || (match.length == best.length && match.begin < best.begin))
      best = match;
  });
  return std::tuple(best.begin, best.length, best.sentence);
}

auto find_equal(const GrammarIndex& index, const std::vector<std::string>& words, bool target) {
  const IndexSide side{index, target};
  std::vector<std::uint32_t> found;
  if (words.empty()) return found;
  side.for_each_text([&, ids = side.ids(words)](const IndexedText& text, std::uint32_t first) {
    for (const auto sentence : equal_sentences(text, ids)) found.push_back(first + sentence);
  });
  return found;
}

void new_mask(Mask* place, std::shared_ptr<const GrammarIndex> index,
              const nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig>& sentences) {
  std::vector<std::uint32_t> numbers(sentences.data(), sentences.data() + sentences.size());
  const nb::gil_scoped_release release;
  new (place) Mask(std::move(index), std::move(numbers));
}

void bind_building(nb::module_& module) {
  module.def(
      "build_index",
      [](const Bitext& bitext, const std::string& path, unsigned threads,
         const std::function<void(const char*)>& on_step) {
        const IndexReport report = build_index(bitext, path, threads, on_step);
        return std::pair(report.pairs, report.left_out);
      },
      "bitext"_a, "path"_a, "threads"_a, "on_step"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Write the index of an aligned bitext; returns (pairs, pairs left out). on_step(name) is "
      "called INDEX_STEPS times.");
  module.attr("INDEX_STEPS") = kIndexSteps;
}

void bind_corpus_index(nb::module_& module) {
  nb::class_<GrammarIndex>(module, "GrammarIndex",
                           "A memory-mapped grammar index, checked when opened.")
      .def(nb::init<const std::string&, unsigned>(), "path"_a, "threads"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &GrammarIndex::size)
      .def_prop_ro("path", &GrammarIndex::path)
      .def_prop_ro("bytes", &GrammarIndex::bytes)
      .def_prop_ro("left_out", &GrammarIndex::left_out)
      .def_prop_ro("added", &GrammarIndex::added, "How many of the pairs were added to the file.")
      .def("with_additions", &with_additions, "additions"_a,
           "The file with these pairs (source, target, links) in place of those added before.")
      .def_prop_ro(
          "source_vocab",
          [](const GrammarIndex& index) -> const Vocab& { return *index.source_vocab(); },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "target_vocab",
          [](const GrammarIndex& index) -> const Vocab& { return *index.target_vocab(); },
          nb::rv_policy::reference_internal)
      .def_prop_ro("source_tokens",
                   [](const GrammarIndex& index) {
                     std::size_t all = 0;
                     for (const IndexPart& part : index.parts()) all += part.source.suffixes.size();
                     return all;
                   })
      .def_prop_ro("target_tokens",
                   [](const GrammarIndex& index) {
                     std::size_t all = 0;
                     for (const IndexPart& part : index.parts()) all += part.target.suffixes.size();
                     return all;
                   })
      .def("source", &source_words, "i"_a, "Words of source sentence i.")
      .def("target", &target_words, "i"_a, "Words of target sentence i.")
      .def(
          "tokens",
          [](nb::handle self, bool target) {
            const IndexPart& file = nb::cast<const GrammarIndex&>(self).parts().front();
            return array((target ? file.target : file.source).tokens, self);
          },
          "target"_a,
          "One side of the file as ids of words + 1, without additions; 0 before the first "
          "sentence "
          "and after each.")
      .def(
          "score_pairs",
          [](const GrammarIndex& index, unsigned threads) {
            std::vector<PairScore> scores;
            {
              const nb::gil_scoped_release release;
              scores = score_pairs(index, threads);
            }
            return own_rows<float>(std::move(scores));
          },
          "threads"_a,
          "One row per pair: mean log10 p(e | rest of f), p(f | e), without the pair itself.")
      .def("links", &links, "i"_a, "Links of pair i, sorted; none if it was left out.")
      .def("longest_match", &find_longest, "words"_a, "target"_a,
           "(begin, length, sentence) of the longest stretch of the words that the corpus has.")
      .def("equal_sentences", &find_equal, "words"_a, "target"_a,
           "Sentences of the corpus that consist of these words.");

  nb::class_<Mask>(module, "Mask", "Sentence pairs that extraction treats as absent.")
      .def("__init__", &new_mask, "index"_a, "sentences"_a)
      .def("__len__", &Mask::size);
}

}  // namespace

void bind_index(nb::module_& module) {
  bind_building(module);
  bind_corpus_index(module);
}
