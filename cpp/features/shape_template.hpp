// Rule shape: where runs of words (+) and nonterminals (N, without number) stand, on both sides.
//   X -> X1 hat X2 versprochen, X1 promised X2           shape:N+N+|N+N
//   X -> X1 hat mir X2 versprochen, X1 promised me X2    shape:N+N+|N+N
//   X -> X1 versprach X2, X1 promised X2                 shape:N+N|N+N
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>

#include "features/name_writer.hpp"

namespace demotic {

class RuleShape {
 public:
  static constexpr bool kSourceOnly = false;

  RuleShape() {
    for (unsigned code = 1; code < kCodes; ++code) {
      targets_[code] = Part(code == 1 ? "" : targets_[code / 2].text + (code % 2 == 1 ? 'N' : '+'));
      sources_[code] = Part("shape:" + targets_[code].text + "|");
    }
  }

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    out.begin(sources_[code_of(rule.source())].name());
    out.text(targets_[code_of(rule.target())].name());
    out.end(1);
  }

 private:
  // A shape is a binary number: 1, then 1 for each N and 0 for each run. Two nonterminals and three
  // runs make six digits.
  static constexpr unsigned kCodes = 64;

  struct Part {
    Part() = default;
    explicit Part(std::string part) : text(std::move(part)), hash(hash_name(text)) {}
    NameText name() const { return {text, hash}; }
    std::string text;
    NameHash hash;
  };

  static unsigned code_of(std::span<const Symbol> symbols) {
    unsigned code = 1;
    bool in_run = false;
    for (const Symbol symbol : symbols) {
      if (symbol < 0 || !in_run) code = 2 * code + (symbol < 0);
      in_run = symbol >= 0;
    }
    return code;
  }

  std::array<Part, kCodes> sources_, targets_;
};

}  // namespace demotic
