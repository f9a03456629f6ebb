#include "evaluate/target_words.hpp"

namespace demotic {

std::vector<std::vector<std::uint32_t>> number_targets(const Forest& forest,
                                                       const References& references) {
  const OutputWords words(*forest.book);
  std::vector<std::vector<std::uint32_t>> targets;
  targets.reserve(forest.rules.size());
  for (const UsedRule& rule : forest.rules) {
    auto& target = targets.emplace_back();
    if (OutputWords::has_own(rule.kind))
      for (const WordId word : words.own(rule.rule))
        target.push_back(references.id(words.text(word)));
    for (const Symbol symbol : rule.content.target)
      target.push_back(symbol < 0 ? kTailWords
                                  : references.id(words.text(static_cast<WordId>(symbol))));
  }
  return targets;
}

}  // namespace demotic
