#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/section_file.hpp"
#include "module.hpp"

using demotic::SectionCheck;

void bind_base(nb::module_& module) {
  nb::class_<SectionCheck>(module, "SectionCheck")
      .def_ro("kind", &SectionCheck::kind)
      .def_ro("has_checksums", &SectionCheck::has_checksums)
      .def_ro("damaged", &SectionCheck::damaged);
  module.def("check_sections", &demotic::check_sections, nb::arg("path"),
             nb::call_guard<nb::gil_scoped_release>());
  module.def("exit_on_bus_error", &demotic::exit_on_bus_error,
             "For programs: a file that is cut off while it is mapped ends the process with one "
             "line, not with a signal.");
}
