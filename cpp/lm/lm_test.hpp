// What the tests of this layer share: random text, and models of it.
#pragma once

#include <random>
#include <string>

#include "lm/counter.hpp"
#include "lm/estimate.hpp"
#include "lm/model_builder.hpp"

namespace demotic::test {

inline std::string random_text(unsigned seed, int sentences, int words) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < sentences; ++i) {
    for (auto length = random() % 9; length > 0; --length)
      (text += static_cast<char>('a' + random() % static_cast<unsigned>(words))) += ' ';
    text += "a\n";
  }
  return text;
}

inline Estimate estimated(const std::string& text, CounterOptions options) {
  NgramCounter counter(options, special_words(), false);
  counter.add(text, {});
  const SuffixTrie trie = counter.finish();
  Estimate result;
  Estimator(trie, counter.vocab(), {{}, options.threads}).run(std::nullopt, result);
  return result;
}

inline Model model_of(const std::string& text, unsigned order) {
  Estimate result = estimated(text, {.order = order});
  return ModelBuilder().build(result.ngrams, true);
}

}  // namespace demotic::test
