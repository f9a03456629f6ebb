#include "corpus/vocab.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/test.hpp"

namespace demotic::vocab_test {

TEST("ids are dense, in order of appearance, and stable while the table grows") {
  Vocab vocab;
  for (int i = 0; i < 10000; ++i)
    CHECK(vocab.add("w" + std::to_string(i)) == static_cast<WordId>(i));
  for (int i = 0; i < 10000; ++i) {
    CHECK(vocab.find("w" + std::to_string(i)) == static_cast<WordId>(i));
    CHECK(vocab.word(static_cast<WordId>(i)) == "w" + std::to_string(i));
  }
  CHECK(vocab.size() == 10000);
  CHECK(!vocab.find("absent").has_value());
  CHECK(!test::thrown<Error>([&] { vocab.word(10000); }).empty());
}

TEST("words that differ only beyond eight bytes, or in length, are different") {
  Vocab vocab;
  CHECK(vocab.add("donaudampfschiff") != vocab.add("donaudampfschifffahrt"));
  CHECK(vocab.add(std::string_view("a\0", 2)) != vocab.add("a"));
}

TEST("arrays give the same vocabulary back, damaged arrays throw") {
  Vocab vocab;
  for (const char* word : {"das", "haus", "", "ist"}) vocab.add(word);
  const Vocab copy = Vocab::from_arrays(vocab.text(), vocab.starts());
  CHECK(copy.size() == 4 && copy.word(3) == "ist" && copy.find("haus") == 1u);
  const std::string text = "aabb";
  const std::uint64_t twice[] = {0, 1, 2, 4}, falling[] = {0, 3, 2, 4}, shorter[] = {0, 1, 3},
                      far[] = {0, 900, 4};
  for (const std::span<const std::uint64_t> starts :
       {std::span<const std::uint64_t>(twice), std::span<const std::uint64_t>(falling),
        std::span<const std::uint64_t>(shorter), std::span<const std::uint64_t>(far)})
    CHECK(!test::thrown<Error>([&] { Vocab::from_arrays(text, starts); }).empty());
}

TEST("words that Python cannot have as text are refused") {  // found by fuzzing index.bin
  const std::uint64_t starts[] = {0, 2, 3};
  const std::string good = "\xc3\xa4z", bad = "\xc3\xe4z";
  CHECK(Vocab::from_arrays(good, starts).size() == 2);
  CHECK(test::thrown<Error>([&] { Vocab::from_arrays(bad, starts); }) == "word 0 is not UTF-8");
}

TEST("a view finds words in place, and refuses arrays that could lead it astray") {
  Vocab vocab;
  for (int i = 0; i < 100; ++i) vocab.add("w" + std::to_string(i));
  const VocabView view(vocab.text(), vocab.starts(), vocab.table());
  for (WordId id = 0; id < 100; ++id)
    CHECK(view.find(vocab.word(id)) == id && view.word(id) == vocab.word(id));
  CHECK(!view.find("absent").has_value());
  std::vector<WordId> table(vocab.table().begin(), vocab.table().end());
  const std::vector<WordId> full(table.size(), 0), odd(table.begin(), table.end() - 1);
  *std::find(table.begin(), table.end(), 7u) = 100;
  for (const auto& bad : {table, full, odd, std::vector<WordId>()})
    CHECK(!test::thrown<Error>([&] { VocabView(vocab.text(), vocab.starts(), bad); }).empty());
  CHECK(!test::thrown<Error>([&] {
           VocabView(vocab.text().first(3), vocab.starts(), vocab.table());
         }).empty());
}

}  // namespace demotic::vocab_test
