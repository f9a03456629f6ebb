// The records of a hypergraph file. Every byte has a meaning, so that equal hypergraphs are equal
// files.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "decode/hypergraph.hpp"

namespace demotic::hypergraph_layout {

constexpr std::string_view kKind = "hypergraph";
constexpr std::uint32_t kVersion = 1;
// Strings and vocabularies are two sections each. With further language models there is one more,
// `further.lm`, and the names of their features stand behind those of the decoder.
constexpr std::uint32_t kSections = 2 * 7 + 12;

struct SavedOptions {
  std::uint32_t pop_limit, max_span, pass_through_all;
};

struct SavedSide {
  std::uint32_t symbol_begin, rule_begin, rule_end;
  std::uint8_t length, nonterminals, label, unused;
  std::array<std::uint8_t, 2> children;
  std::array<std::uint8_t, 2> unused_too;
};

struct SavedUse {
  RuleId rule;  // translation rules as in the file, then the others as RuleBook numbers them
  std::uint32_t oov;
};

struct SavedNode {
  std::uint32_t edges_begin, edges_end;
  std::uint16_t begin, end, label, unused;
};

static_assert(sizeof(SavedSide) == 20 && sizeof(SavedNode) == 16 && sizeof(HyperEdge) == 20 &&
              sizeof(Rule) == 12 && sizeof(RuleLink) == 2 && sizeof(RuleFeature) == 8);

}  // namespace demotic::hypergraph_layout
