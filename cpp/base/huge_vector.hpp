// Vectors for arrays of many megabytes that are read in no particular order. They ask the system
// for large pages, which cost fewer page faults and fewer misses when addresses are translated:
// building a language model takes about a third less time.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace demotic {

template <class T>
struct HugePageAllocator {
  using value_type = T;
  static constexpr std::size_t kPage = std::size_t{1} << 21;

  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(const HugePageAllocator<Other>&) {}

  // Small arrays come from the ordinary heap, so that short vectors cost what they always do.
  static constexpr bool is_huge(std::size_t bytes) { return bytes >= 2 * kPage; }

  T* allocate(std::size_t size) {
    if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = size * sizeof(T);
    if (!is_huge(bytes)) return static_cast<T*>(::operator new(bytes));
    void* const memory = ::operator new(bytes, std::align_val_t{kPage});
#ifdef __linux__
    ::madvise(memory, bytes,
              MADV_HUGEPAGE);  // advice only: without large pages everything works the same
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t size) noexcept {
    if (is_huge(size * sizeof(T)))
      ::operator delete(memory, std::align_val_t{kPage});
    else
      ::operator delete(memory);
  }
  bool operator==(const HugePageAllocator&) const { return true; }
};

template <class T>
using HugeVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace demotic
