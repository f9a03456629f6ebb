#include "module.hpp"

#include <nanobind/stl/string.h>

#include <exception>
#include <string>

#include "base/error.hpp"

namespace {

// Messages may quote damaged files: what is not UTF-8 is replaced, so that the error itself always
// arrives.
nb::object text(const std::string& bytes) {
  return nb::steal(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

// demotic::Error becomes demotic.base.errors.DemoticError with the same parts.
void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const demotic::Error& error) {
    const nb::object type = nb::module_::import_("demotic.base.errors").attr("DemoticError");
    const nb::object file = error.file().empty() ? nb::none() : text(error.file());
    const nb::object line = error.line() == 0 ? nb::none() : nb::object(nb::int_(error.line()));
    const nb::object instance = type(text(error.message()), file, line, text(error.hint()));
    PyErr_SetObject(type.ptr(), instance.ptr());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() =
      "Native core of Demotic. Private: use the documented packages demotic.corpus, demotic.lm, "
      "...";
  module.attr("compiler") =
      "C++ " + std::to_string(__cplusplus / 100 % 100) + ", compiler " __VERSION__;
  nb::register_exception_translator(translate);
  bind_base(module);
  bind_corpus(module);
  bind_align(module);
  bind_lm(module);
  bind_index(module);
  bind_grammar(module);
  bind_features(module);
  bind_decode(module);
  bind_evaluate(module);
  bind_learn(module);
  bind_line_search(module);
  bind_ranking(module);
}
