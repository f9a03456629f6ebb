// How the words of a rule stand in names: as they are, or as their classes. A template is written
// once for both.
#pragma once

#include <string>
#include <utility>

#include "features/name_writer.hpp"

namespace demotic {

// What the names of a template begin with: `src_ngram:`, `class_src_ngram:50:`.
class NamePrefix {
 public:
  explicit NamePrefix(std::string text) : text_(std::move(text)), hash_(hash_name(text_)) {}
  operator NameText() const { return {text_, hash_}; }

 private:
  std::string text_;
  NameHash hash_;
};

struct WordSpelling {
  template <class Writer>
  void source(const RuleView&, Symbol word, bool first, Writer& out) const {
    out.source_word(word, first);
  }
  template <class Writer>
  void target(const RuleView&, Symbol word, bool first, Writer& out) const {
    out.target_word(word, first);
  }
};

struct ClassSpelling {
  unsigned size;  // which classes

  template <class Writer>
  void source(const RuleView& rule, Symbol word, bool first, Writer& out) const {
    out.symbol((*rule.classes(size).source)[static_cast<WordId>(word)], first);
  }
  template <class Writer>
  void target(const RuleView& rule, Symbol word, bool first, Writer& out) const {
    out.symbol((*rule.classes(size).target)[static_cast<WordId>(word)], first);
  }
};

}  // namespace demotic
