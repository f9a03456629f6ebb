#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "arrays.hpp"
#include "base/text.hpp"
#include "corpus/bitext.hpp"
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
}
