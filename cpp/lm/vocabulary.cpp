#include "lm/vocabulary.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "lm/words.hpp"

namespace demotic {

Vocab frequent_words(const SuffixTrie& counts, const Vocab& vocab, std::size_t limit) {
  if (counts.order() != 1) throw Error("frequent_words needs counts of single words");
  const auto& occurrences = counts.levels[0].occurrences;
  std::vector<WordId> words;
  for (WordId word = kEnd + 1; word < occurrences.size(); ++word)
    if (occurrences[word] > 0) words.push_back(word);
  std::sort(words.begin(), words.end(), [&](WordId a, WordId b) {
    return occurrences[a] != occurrences[b] ? occurrences[a] > occurrences[b]
                                            : vocab.word(a) < vocab.word(b);
  });
  if (limit > 0 && limit < words.size()) words.resize(limit);
  Vocab chosen = special_words();
  for (const WordId word : words) chosen.add(vocab.word(word));
  return chosen;
}

}  // namespace demotic
