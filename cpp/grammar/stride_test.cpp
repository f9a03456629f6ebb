#include "grammar/stride.hpp"

#include <vector>

#include "base/test.hpp"

namespace demotic::stride_test {

TEST("a tour visits every place once") {
  for (std::uint32_t size = 1; size < 400; ++size) {
    Stride tour(size);
    std::vector<std::uint32_t> order(size), visits(size, 0);
    for (auto& place : order) ++visits[place = tour.next()];
    for (const auto count : visits) CHECK(count == 1);
    for (std::uint32_t k = 0; k < size; ++k) CHECK(tour.rank_of(order[k]) == k);
  }
}

TEST("the first places are spread evenly") {
  Stride tour(100000);
  std::vector<int> tenths(10, 0);
  for (int k = 0; k < 100; ++k) ++tenths[tour.next() / 10000];
  for (const int count : tenths) CHECK(count >= 9 && count <= 11);
}

}  // namespace demotic::stride_test
