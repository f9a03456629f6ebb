// One function per layer fills the private module demotic._core; the public, documented API is in src/demotic.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_corpus(nb::module_& module);
void bind_lm(nb::module_& module);
void bind_grammar(nb::module_& module);
void bind_features(nb::module_& module);
void bind_decode(nb::module_& module);
void bind_evaluate(nb::module_& module);
void bind_learn(nb::module_& module);
