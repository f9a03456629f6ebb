// A k-best list with what it needs to number its features later.
#pragma once

#include <memory>

#include "decode/kbest_list.hpp"

struct NamedList {
  std::shared_ptr<const demotic::Hypergraph> graph;
  demotic::KBestList list;
};
