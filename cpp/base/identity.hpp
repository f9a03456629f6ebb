// Numbers that tell objects of one process apart, also from those that are gone: addresses come
// again. For what must belong together, such as ids and their index; never written to a file.
#pragma once

#include <atomic>
#include <cstdint>

namespace demotic {

inline std::uint64_t new_identity() {  // not 0
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace demotic
