#include "base/probe_table.hpp"

#include <map>
#include <random>
#include <string>

#include "base/test.hpp"

namespace demotic::probe_table_test {

TEST("a table of keys is a map, however often it is emptied") {
  KeyTable<std::uint32_t> table(2);
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::map<std::uint64_t, std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 500; ++i) {
      const std::uint64_t key = std::uint64_t{random() % 300} << (round % 2 == 0 ? 32 : 0);
      const auto [place, is_new] = expected.try_emplace(key, i);
      const auto [value, was_new] = table.insert(key, i);
      CHECK(was_new == is_new && *value == place->second);
    }
    for (std::uint64_t key = 0; key < 300; ++key) {
      const std::uint64_t shifted = key << (round % 2 == 0 ? 32 : 0);
      const std::uint32_t* const found = table.find(shifted);
      const auto place = expected.find(shifted);
      CHECK((found != nullptr) == (place != expected.end()));
      if (found != nullptr && place != expected.end()) CHECK(*found == place->second);
    }
    table.clear();
    CHECK(table.find(expected.begin()->first) == nullptr);
  }
}

TEST("entries with one hash are told apart by their content") {
  const std::vector<std::string> texts = {"a", "b", "a", "c", "b", "d", "e", "f", "g", "h", "a"};
  for (const std::uint64_t hash : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    NumberTable table(1);
    std::vector<std::string> entries;
    for (const std::string& text : texts) {
      const auto same = [&](std::uint32_t number) { return entries[number] == text; };
      const auto [number, is_new] = table.insert(hash, static_cast<std::uint32_t>(entries.size()),
                                                 same, [&](std::uint32_t) { return hash; });
      if (is_new) entries.push_back(text);
      CHECK(entries[number] == text);
    }
    CHECK(entries.size() == 8);
  }
}

}  // namespace demotic::probe_table_test
