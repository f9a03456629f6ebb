#include "grammar/suffix_array.hpp"

#include <algorithm>
#include <numeric>

#include "base/hash.hpp"
#include "base/test.hpp"

namespace demotic::suffix_array_test {

std::vector<std::uint32_t> by_comparison(const std::vector<std::uint32_t>& text) {
  std::vector<std::uint32_t> order(text.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return std::lexicographical_compare(text.begin() + a, text.end(), text.begin() + b, text.end());
  });
  return order;
}

TEST("equals sorting by comparison on random texts of every alphabet") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    std::vector<std::uint32_t> text(mix(seed) % 60);
    const std::uint32_t alphabet = 1 + mix(seed + 1000) % 6;
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = mix(seed * 1000 + i) % alphabet;
    CHECK(suffix_array(text, alphabet) == by_comparison(text));
  }
}

TEST("a text of one repeated line stays linear") {
  std::vector<std::uint32_t> text;
  for (int i = 0; i < 20000; ++i) text.insert(text.end(), {1, 2, 3, 2, 4, 0});
  const auto suffixes = suffix_array(text, 5);
  CHECK(suffixes.front() == text.size() - 1);
  CHECK(text[suffixes.back()] == 4);
}

}  // namespace demotic::suffix_array_test
