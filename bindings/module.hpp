// One function per layer fills the private module demotic._core; the public, documented API is in
// src/demotic.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

namespace nb = nanobind;

// Bytes of Python, in place.
inline std::string_view text_of(const nb::bytes& block) { return {block.c_str(), block.size()}; }

void bind_base(nb::module_& module);
void bind_corpus(nb::module_& module);
void bind_align(nb::module_& module);
void bind_lm(nb::module_& module);
void bind_index(nb::module_& module);
void bind_grammar(nb::module_& module);
void bind_features(nb::module_& module);
void bind_decode(nb::module_& module);
void bind_evaluate(nb::module_& module);
void bind_learn(nb::module_& module);
void bind_line_search(nb::module_& module);
void bind_ranking(nb::module_& module);
