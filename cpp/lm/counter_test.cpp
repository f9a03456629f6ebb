#include "lm/counter.hpp"

#include <map>

#include "base/error.hpp"
#include "base/test.hpp"
#include "base/text.hpp"
#include "lm/lm_test.hpp"

namespace demotic::counter_test {

using Words = std::vector<WordId>;

// Every n-gram of the text with the number of its occurrences, for n-grams that cannot be longer;
// by plain counting.
std::map<Words, std::uint32_t> plain_counts(const std::string& text, unsigned order,
                                            const Vocab& vocab) {
  std::map<Words, std::uint32_t> counts;
  std::string_view block = text;
  while (!block.empty()) {
    Words sentence{kBegin};
    for_each_word(next_line(block),
                  [&](std::string_view word) { sentence.push_back(*vocab.find(word)); });
    sentence.push_back(kEnd);
    for (std::size_t end = 2; end <= sentence.size(); ++end) {
      const std::size_t begin = end > order ? end - order : 0;
      ++counts[Words(sentence.begin() + static_cast<std::ptrdiff_t>(begin),
                     sentence.begin() + static_cast<std::ptrdiff_t>(end))];
    }
  }
  return counts;
}

// The same, read off a trie; checks the links to contexts on the way.
std::map<Words, std::uint32_t> trie_counts(const SuffixTrie& trie) {
  std::map<Words, std::uint32_t> counts;
  std::vector<std::vector<Words>> ngrams(trie.order());
  for (WordId word = 0; word < trie.levels[0].size(); ++word) ngrams[0].push_back({word});
  for (unsigned order = 2; order <= trie.order(); ++order)
    for (std::size_t parent = 0; parent < ngrams[order - 2].size(); ++parent)
      for (std::uint32_t i = trie.levels[order - 2].children[parent];
           i < trie.levels[order - 2].children[parent + 1]; ++i) {
        Words ngram{trie.levels[order - 1].first[i]};
        ngram.insert(ngram.end(), ngrams[order - 2][parent].begin(),
                     ngrams[order - 2][parent].end());
        CHECK(ngrams[order - 2][trie.contexts(order)[i]] == Words(ngram.begin(), ngram.end() - 1));
        ngrams[order - 1].push_back(ngram);
      }
  for (unsigned order = 1; order <= trie.order(); ++order)
    for (std::size_t i = 0; i < ngrams[order - 1].size(); ++i)
      if (trie.levels[order - 1].occurrences[i] > 0)
        counts[ngrams[order - 1][i]] = trie.levels[order - 1].occurrences[i];
  return counts;
}

TEST("counts are those of plain counting, in memory and on disk, on one thread and several") {
  for (const unsigned order : {1u, 2u, 3u, 5u, 20u})
    for (const int words : {2, 20}) {
      const std::string text = test::random_text(order, 700, words);
      for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{0}})
        for (const unsigned threads : {1u, 4u}) {
          NgramCounter counter(
              {.order = order, .threads = threads, .memory = memory, .temporary = "."},
              special_words(), false);
          counter.add(text, {});
          CHECK((counter.runs() > 0) == (memory == 0));
          CHECK(trie_counts(counter.finish()) == plain_counts(text, order, counter.vocab()));
        }
    }
}

TEST("sentence marks in the text are refused with file and line") {
  NgramCounter counter({.order = 2}, special_words(), false);
  counter.begin_file("text");
  try {
    counter.add("a b\n\nc </s>\n", {});
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.file() == "text" && error.line() == 3);
  }
}

TEST("no text and an impossible order throw") {
  CHECK(!test::thrown<Error>([] {
           NgramCounter({.order = 2}, special_words(), false).finish();
         }).empty());
  CHECK(!test::thrown<Error>([] { NgramCounter({.order = 0}, special_words(), false); }).empty());
  CHECK(!test::thrown<Error>([] { NgramCounter({.order = 256}, special_words(), false); }).empty());
}

}  // namespace demotic::counter_test
