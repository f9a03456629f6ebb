// Independent tasks on several threads. What a task computes must not depend on which thread runs
// it or when.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace demotic {

// Threads that are joined at the end of their life: std::jthread, which libc++ has since version 20
// only.
class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_) thread.join();
  }
  template <class Work>
  void start(const Work& work) {
    threads_.emplace_back(work);
  }

 private:
  std::vector<std::thread> threads_;
};

// Runs body(0) ... body(tasks - 1) on up to `threads` threads, the calling one included. If tasks
// throw, the exception of the first of them (in the order of tasks) is thrown again when all
// threads have ended.
template <class Body>
void parallel_for(std::size_t tasks, unsigned threads, Body body) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t failed = tasks;
  std::exception_ptr error;
  const auto work = [&] {
    for (std::size_t task; (task = next.fetch_add(1)) < tasks;) {
      try {
        body(task);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (task < failed) {
          failed = task;
          error = std::current_exception();
        }
        next.store(tasks);  // tasks before this one have been started and will end
      }
    }
  };
  {
    JoinedThreads others;
    const std::size_t wanted = std::min<std::size_t>(std::max(threads, 1u), tasks);
    for (std::size_t i = 1; i < wanted; ++i) others.start(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

// Runs body(begin, end) over parts of [0, size), each of `part` indices. The parts are the same
// whatever the number of threads.
template <class Body>
void parallel_ranges(std::size_t size, std::size_t part, unsigned threads, Body body) {
  parallel_for((size + part - 1) / part, threads,
               [&](std::size_t i) { body(i * part, std::min(size, (i + 1) * part)); });
}

template <class Body>
void parallel_ranges(std::size_t size, unsigned threads, Body body) {
  parallel_ranges(size, std::size_t{1} << 16, threads, body);
}

}  // namespace demotic
