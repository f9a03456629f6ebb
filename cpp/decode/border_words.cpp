#include "decode/border_words.hpp"

namespace demotic {

BorderRuns border_runs(const RuleBook& book, const OutputWords& words, RuleId rule) {
  BorderRuns runs;
  if (OutputWords::has_own(book.kind(rule))) {
    const auto own = words.own(rule);
    runs[0] = {own.front(), own.back()};
    return runs;
  }
  std::size_t run = 0;
  for (const Symbol symbol : book.content(rule).target) {
    if (symbol < 0) {
      ++run;
      continue;
    }
    if (runs[run].empty()) runs[run].first = static_cast<WordId>(symbol);
    runs[run].last = static_cast<WordId>(symbol);
  }
  return runs;
}

BorderNames::BorderNames(const RuleBook& book, const OutputWords& words)
    : words_(words), vocabulary_(static_cast<WordId>(book.grammar().target_vocab->size())) {
  const TemplateSet& set = *book.features()->templates();
  hashes_ = set.hashes_of(book.grammar().target_vocab);
  for (WordId word = vocabulary_; word < vocabulary_ + words.beyond(); ++word) {
    std::string escaped;
    append_escaped(escaped, words.text(word));
    copied_.emplace_back(escaped);
  }
  const GrammarView view = set.view_of(book.grammar());
  for (const auto& one : set.templates()) {
    if (!one->is_border()) continue;
    const std::string prefix = one->name() + ":";
    templates_.push_back({prefix, hash_name(prefix), nullptr});
    for (const GrammarClasses& classes : view.classes)
      if (classes.size == one->classes()) templates_.back().classes = classes.target;
  }
}

Fingerprint BorderNames::print(std::size_t number, WordId left, WordId right) const {
  const Template& one = templates_[number];
  return append(append(one.hash.print, hash_of(one, left).first), hash_of(one, right).joined);
}

std::string BorderNames::name(std::size_t number, WordId left, WordId right) const {
  const Template& one = templates_[number];
  return one.prefix + text_of(one, left) + "_" + text_of(one, right);
}

const SymbolHash& BorderNames::hash_of(const Template& one, WordId word) const {
  if (word == kSentenceBegin) return begin_.hash;
  if (word == kSentenceEnd) return end_.hash;
  if (one.classes == nullptr)
    return word < vocabulary_ ? (*hashes_)[word] : copied_[word - vocabulary_];
  return word < vocabulary_ ? (*one.classes)[word].hash : one.classes->of(words_.text(word)).hash;
}

std::string BorderNames::text_of(const Template& one, WordId word) const {
  if (word == kSentenceBegin) return begin_.text;
  if (word == kSentenceEnd) return end_.text;
  if (one.classes != nullptr)
    return word < vocabulary_ ? (*one.classes)[word].text : one.classes->of(words_.text(word)).text;
  std::string escaped;
  append_escaped(escaped, words_.text(word));
  return escaped;
}

}  // namespace demotic
