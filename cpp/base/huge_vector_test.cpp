#include "base/huge_vector.hpp"

#include <cstdint>

#include "base/test.hpp"

namespace demotic::huge_vector_test {

TEST("vectors keep their values while they grow from the heap to large pages") {
  HugeVector<std::uint32_t> values;
  for (std::uint32_t i = 0; i < 3'000'000; ++i) values.push_back(i);
  bool same = true;
  for (std::uint32_t i = 0; i < values.size(); ++i) same = same && values[i] == i;
  CHECK(same);
  CHECK(reinterpret_cast<std::uintptr_t>(values.data()) % HugePageAllocator<std::uint32_t>::kPage ==
        0);
  const HugeVector<std::uint32_t> copy = values;
  CHECK(copy == values);
}

}  // namespace demotic::huge_vector_test
