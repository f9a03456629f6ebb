#include "lm/word_table.hpp"

#include <random>
#include <string>

#include "base/test.hpp"
#include "lm/ngram_table.hpp"

namespace demotic::word_table_test {

TEST("a word table gives the ids of its vocabulary, and none for other words") {
  std::mt19937 random(1);
  const auto word = [&] {
    std::string text(random() % 20, 'a');
    for (char& c : text) c = "ab\xc3\x00"[random() % 4];
    return text;
  };
  Vocab vocab;
  for (int i = 0; i < 3000; ++i) vocab.add(word());
  const WordTable table(vocab);
  int known = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = word() + "bb more";  // bytes behind a word may be read
    const std::string_view one(text.data(), text.size() - 7);
    const std::string alone(one);
    const WordId expected = vocab.find(one).value_or(WordTable::kAbsent);
    CHECK(table.find(one, WordTable::key_of(one, text.data() + text.size())) == expected);
    CHECK(table.find(alone, WordTable::key_of(alone, alone.data() + alone.size())) == expected);
    known += expected != WordTable::kAbsent;
  }
  CHECK(known > 1000 && known < 19000);
}

TEST("an n-gram table keeps the first place of each n-gram, however it grows") {
  for (const std::size_t reserved : {0, 1, 5000}) {
    NgramTable table;
    const auto hash = NgramTable::hash;
    CHECK(table.find(hash(1, 2), 1, 2) == NgramTable::kAbsent);
    table.reserve(reserved);
    for (std::uint32_t i = 0; i < 4000; ++i)
      CHECK(table.insert(hash(i % 7, i), i % 7, i, i) == NgramTable::kAbsent);
    for (std::uint32_t i = 0; i < 4000; ++i) {
      CHECK(table.insert(hash(i % 7, i), i % 7, i, 0) == i);
      CHECK(table.find(hash(i % 7, i), i % 7, i) == i);
      CHECK(table.find(hash(i % 7 + 1, i), i % 7 + 1, i) == NgramTable::kAbsent);
    }
  }
}

}  // namespace demotic::word_table_test
