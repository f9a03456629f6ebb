// What the heaps of the standard library lack.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace demotic {

// Puts an entry in the place of the largest, which goes. An entry little smaller than that does not
// sink far: cheaper than std::pop_heap and std::push_heap.
template <class T, class Less>
void replace_top(std::vector<T>& heap, T entry, Less less) {
  std::size_t place = 0;
  for (std::size_t child = 1; child < heap.size(); child = 2 * place + 1) {
    if (child + 1 < heap.size() && less(heap[child], heap[child + 1])) ++child;
    if (less(heap[child], entry)) break;
    heap[place] = std::move(heap[child]);
    place = child;
  }
  heap[place] = std::move(entry);
}

}  // namespace demotic
