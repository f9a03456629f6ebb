// Work over a range of indices, spread over threads. What the work writes must depend on the index alone, never on the thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace demotic {

// Calls work(begin, end) for consecutive blocks of [0, size), each exactly once. The first exception stops the rest and is thrown again here.
template <class Work>
void parallel_for(std::size_t size, std::size_t block, std::size_t threads, Work work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&] {
    try {
      for (std::size_t begin; (begin = next.fetch_add(block)) < size;) work(begin, std::min(begin + block, size));
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = size;
    }
  };
  const std::size_t helpers = std::min(threads, (size + block - 1) / block);
  std::vector<std::jthread> pool;
  for (std::size_t i = 1; i < helpers; ++i) pool.emplace_back(run);
  run();
  pool.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace demotic
