// A file mapped read-only into memory: opened in microseconds, its pages shared between processes.
//
// We replace files and never write into them, but somebody else may: `cp other model/lm.bin` cuts
// the file off under everyone who has it mapped, and reading beyond the new end is SIGBUS. Whoever
// works with a mapped file asks `check_unchanged` before each sentence; for what happens in between
// there is exit_on_bus_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace demotic {

class MappedFile {
 public:
  // Throws Error when the file is missing, unreadable or a directory.
  explicit MappedFile(std::string path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::string& path() const { return path_; }

  // Throws Error if the file that was opened has another length or time of change by now. A file
  // of the same name that took its place is no concern of ours. About 0.57 microseconds.
  void check_unchanged() const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::int64_t changed_ = 0;  // nanoseconds since 1970
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// From now on a bus error ends the process with one line on standard error and status 1. For
// programs, not for libraries: the handler is that of the whole process.
void exit_on_bus_error();

}  // namespace demotic
