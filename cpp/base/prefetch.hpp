// Telling the processor what will be read soon.
#pragma once

#include <algorithm>
#include <cstddef>

namespace demotic {

// Asks for the cache line of an address, which may be anything.
[[gnu::always_inline]] inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // GCC 12 takes a function that does nothing else for one without effects, and drops its calls.
  asm volatile("");
}

// Work on many things that lie all over memory, each at a place that has to be looked up first.
// Calls find(i), fetch(i) and use(i) for all i < size in this order, each of them by rising i:
// find(i) asks for the place that says where the thing is, fetch(i) for the thing, both a good
// while before use(i). Ends when use(i) is false.
template <class Find, class Fetch, class Use>
void fetch_ahead(std::size_t size, Find find, Fetch fetch, Use use) {
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < std::min(2 * kAhead, size); ++i) find(i);
  for (std::size_t i = 0; i < std::min(kAhead, size); ++i) fetch(i);
  for (std::size_t i = 0; i < size; ++i) {
    if (i + 2 * kAhead < size) find(i + 2 * kAhead);
    if (i + kAhead < size) fetch(i + kAhead);
    if (!use(i)) return;
  }
}

}  // namespace demotic
