#include "base/prefetch.hpp"

#include <vector>

#include "base/test.hpp"

namespace demotic::prefetch_test {

TEST("everything is found, fetched and used in this order, each once and by rising number") {
  for (const std::size_t size : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 100u}) {
    std::size_t found = 0, fetched = 0, used = 0;
    fetch_ahead(
        size, [&](std::size_t i) { CHECK(i == found++); },
        [&](std::size_t i) {
          CHECK(i == fetched++);
          CHECK(fetched <= found);
        },
        [&](std::size_t i) {
          CHECK(i == used++);
          CHECK(used <= fetched);
          return true;
        });
    CHECK(found == size && fetched == size && used == size);
  }
}

TEST("it ends when nothing more is wanted") {
  std::size_t used = 0;
  const auto nothing = [](std::size_t) {};
  fetch_ahead(100, nothing, nothing, [&](std::size_t) { return ++used < 7; });
  CHECK(used == 7);
}

TEST("any address may be fetched") {
  const std::vector<int> values(10);
  prefetch(nullptr);
  prefetch(values.data() + values.size());
}

}  // namespace demotic::prefetch_test
