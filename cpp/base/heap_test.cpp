#include "base/heap.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "base/test.hpp"

namespace demotic::heap_test {

TEST("what replaces the top leaves a heap of the same entries") {
  std::mt19937 random(5);
  for (std::size_t size = 1; size < 40; ++size)
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<int> heap(size);
      for (int& entry : heap) entry = static_cast<int>(random() % 50);
      std::ranges::make_heap(heap);
      std::multiset<int> expected(heap.begin(), heap.end());
      const int entry = static_cast<int>(random() % 60);
      expected.erase(std::prev(expected.end()));
      expected.insert(entry);
      replace_top(heap, entry, std::less<>());
      CHECK(std::ranges::is_heap(heap));
      CHECK((std::multiset<int>(heap.begin(), heap.end()) == expected));
    }
}

}  // namespace demotic::heap_test
