// Rule shape: where runs of words (+) and nonterminals (N, without number) stand, on both sides.
//   X -> X1 hat X2 versprochen, X1 promised X2           shape:N+N+|N+N
//   X -> X1 hat mir X2 versprochen, X1 promised me X2    shape:N+N+|N+N
//   X -> X1 versprach X2, X1 promised X2                 shape:N+N|N+N
#pragma once

#include <array>
#include <span>
#include <string>

#include "features/name_writer.hpp"

namespace demotic {

class RuleShape {
 public:
  static constexpr bool kSourceOnly = false;

  RuleShape() {
    for (unsigned code = 1; code < kCodes; ++code) {
      std::string& text = texts_[code] = code == 1 ? "" : texts_[code / 2] + (code % 2 == 1 ? 'N' : '+');
      hashes_[code] = hash_name(text);
    }
  }

  template <class Writer>
  void write(const RuleView& rule, Writer& out) const {
    out.begin(kPrefix);
    side(code_of(rule.source()), out);
    out.text(kBar);
    side(code_of(rule.target()), out);
    out.end(1);
  }

 private:
  static constexpr NameText kPrefix{"shape:"};
  // A shape is a binary number: 1, then 1 for each N and 0 for each run. Two nonterminals and three runs make six digits.
  static constexpr unsigned kCodes = 64;

  static unsigned code_of(std::span<const Symbol> symbols) {
    unsigned code = 1;
    bool in_run = false;
    for (const Symbol symbol : symbols) {
      if (symbol < 0 || !in_run) code = 2 * code + (symbol < 0);
      in_run = symbol >= 0;
    }
    return code;
  }

  template <class Writer>
  void side(unsigned code, Writer& out) const {
    out.text(NameText(texts_[code], hashes_[code]));
  }

  std::array<std::string, kCodes> texts_;
  std::array<NameHash, kCodes> hashes_;
};

}  // namespace demotic
