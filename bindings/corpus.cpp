#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "base/text.hpp"
#include "corpus/bitext.hpp"
#include "corpus/exchange.hpp"
#include "corpus/word_classes.hpp"
#include "module.hpp"

using namespace nb::literals;
using namespace demotic;

namespace {

using ::array;
nb::ndarray<nb::numpy, const std::uint16_t, nb::shape<-1, 2>> array(std::span<const Link> links,
                                                                    nb::handle owner) {
  return {reinterpret_cast<const std::uint16_t*>(links.data()), {links.size(), 2}, owner};
}

template <class Lists>
auto sentence(const Lists& lists, nb::handle owner, std::size_t i) {
  if (i >= lists.size()) throw nb::index_error("sentence number out of range");
  return array(lists[i], owner);
}

// Adds the pairs of a block of lines; returns how many came before the one that failed, together
// with its error.
void add_block(BitextBuilder& builder, const nb::bytes& source, const nb::bytes& target,
               const std::optional<nb::bytes>& links) {
  std::string_view source_text = text_of(source), target_text = text_of(target),
                   link_text = links ? text_of(*links) : "";
  const nb::gil_scoped_release release;
  while (!source_text.empty() || !target_text.empty()) {
    const std::string_view source_line = next_line(source_text),
                           target_line = next_line(target_text), link_line = next_line(link_text);
    builder.add(source_line, target_line, links ? std::optional(link_line) : std::nullopt);
  }
}

using SharedClasses = std::shared_ptr<const WordClasses>;
using Tokens = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Classes, and the log-likelihood of the text after each pass.
std::pair<SharedClasses, std::vector<double>> cluster(const Tokens& tokens, const Vocab& vocab,
                                                      unsigned classes, unsigned iterations,
                                                      unsigned threads) {
  const nb::gil_scoped_release release;
  Exchanged found = exchange({tokens.data(), tokens.size()}, vocab, {classes, iterations, threads});
  return {std::make_shared<const WordClasses>(vocab, found.order, found.class_of),
          std::move(found.log_likelihood)};
}

SharedClasses classes_from_bytes(const nb::bytes& text, const std::string& file, unsigned most) {
  const std::string_view bytes = text_of(text);
  const nb::gil_scoped_release release;
  return std::make_shared<const WordClasses>(WordClasses::from_text(bytes, file, most));
}

nb::bytes classes_to_bytes(const WordClasses& classes) {
  std::string text;
  {
    const nb::gil_scoped_release release;
    text = classes.to_text();
  }
  return nb::bytes(text.data(), text.size());
}

// How many words of a vocabulary the classes have.
std::size_t known_words(const WordClasses& classes, const Vocab& vocab) {
  std::size_t known = 0;
  for (WordId id = 0; id < vocab.size(); ++id) known += classes.knows(vocab.word(id));
  return known;
}

void bind_classes(nb::module_& module) {
  nb::class_<WordClasses>(module, "WordClasses",
                          "The class of each word; documented in demotic.corpus.WordClasses.")
      .def_static("from_text", &classes_from_bytes, "text"_a, "file"_a, "most"_a,
                  "From `word<TAB>class` lines.")
      .def("to_text", &classes_to_bytes, "The same lines, sorted by class.")
      .def("__len__", &WordClasses::size)
      .def_prop_ro("words", &WordClasses::words, "Words in any class.")
      .def(
          "of",
          [](const WordClasses& classes, std::string_view word) {
            return classes.name(classes.of(word));
          },
          "word"_a, "The name of a word's class.")
      .def(
          "members",
          [](const WordClasses& classes, std::uint16_t number) {
            nb::typed<nb::list, nb::bytes> words;
            for (const std::string_view word : classes.members(number))
              words.append(nb::bytes(word.data(), word.size()));
            return words;
          },
          "number"_a, "Words of a class, the most frequent first.")
      .def("known", &known_words, "vocab"_a, "How many words of a vocabulary have a class.");
  module.def(
      "exchange", &cluster, "tokens"_a, "vocab"_a, "classes"_a, "iterations"_a, "threads"_a,
      "Cluster words; tokens are ids + 1 with 0 after each sentence. Returns the classes and "
      "the log-likelihood after each pass.");
}

}  // namespace

void bind_corpus(nb::module_& module) {
  nb::class_<Vocab>(module, "Vocab", "Word <-> dense id, in order of first appearance.")
      .def(nb::init<>())
      .def("add", &Vocab::add, "word"_a, "The id of a word, which is added if it is new.")
      .def("find", &Vocab::find, "word"_a, "The id of a word, or None.")
      .def(
          "word", [](const Vocab& vocab, WordId id) { return std::string(vocab.word(id)); }, "id"_a,
          "The word with this id.")
      .def("__len__", &Vocab::size)
      .def(
          "__contains__",
          [](const Vocab& vocab, std::string_view word) { return vocab.find(word).has_value(); },
          "word"_a);

  nb::class_<BitextBuilder>(module, "BitextBuilder",
                            "Collects sentence pairs and writes them as a bitext file.")
      .def(nb::init<>())
      .def("add_block", &add_block, "source"_a, "target"_a, "links"_a.none(),
           "Add a block of lines, UTF-8, as many on each side.")
      .def("write", &BitextBuilder::write, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Write the file: complete or not at all.")
      .def("__len__", &BitextBuilder::size);

  nb::class_<Bitext>(module, "Bitext", "A memory-mapped bitext file, checked when opened.")
      .def(nb::init<const std::string&>(), "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &Bitext::size)
      .def_prop_ro("aligned", &Bitext::aligned)
      .def_prop_ro("path", &Bitext::path)
      .def_prop_ro("source_vocab", &Bitext::source_vocab, nb::rv_policy::reference_internal)
      .def_prop_ro("target_vocab", &Bitext::target_vocab, nb::rv_policy::reference_internal)
      .def(
          "source",
          [](nb::handle self, std::size_t i) {
            return sentence(nb::cast<const Bitext&>(self).source(), self, i);
          },
          "i"_a, "Word ids of source sentence i.")
      .def(
          "target",
          [](nb::handle self, std::size_t i) {
            return sentence(nb::cast<const Bitext&>(self).target(), self, i);
          },
          "i"_a, "Word ids of target sentence i.")
      .def(
          "links",
          [](nb::handle self, std::size_t i) {
            return sentence(nb::cast<const Bitext&>(self).links(), self, i);
          },
          "i"_a, "Alignment links of pair i, one row (source, target) each.")
      .def_prop_ro(
          "source_words",
          [](nb::handle self) {
            return array(nb::cast<const Bitext&>(self).source().values, self);
          },
          "All source word ids, one after the other.")
      .def_prop_ro(
          "target_words",
          [](nb::handle self) {
            return array(nb::cast<const Bitext&>(self).target().values, self);
          },
          "All target word ids, one after the other.");
  bind_classes(module);
}
