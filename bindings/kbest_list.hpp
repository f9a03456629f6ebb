// A list of hypotheses as Python holds it.
#pragma once

#include <memory>

#include "decode/kbest_list.hpp"

// A list with what it needs to number its features later.
struct NamedList {
  std::shared_ptr<const demotic::Hypergraph> graph;
  demotic::KBestList list;
};
