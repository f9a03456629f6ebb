// Writing a model in ARPA format.
#pragma once

#include <functional>
#include <string_view>

#include "lm/ngrams.hpp"

namespace demotic {

// Calls write(text) with the parts of the file in order, from the calling thread; lines are
// formatted on `threads` threads. Numbers are the shortest that give the same float back, so
// reading and writing lose nothing.
void write_arpa(const Ngrams& ngrams, unsigned threads,
                const std::function<void(std::string_view)>& write);

}  // namespace demotic
