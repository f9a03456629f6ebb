// A file in the making: it has a name of its own beside the final one, which nobody else has and
// which is no link, and takes the final name when it is complete. `demotic.base.files` does the
// same in Python.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace demotic {

class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();  // without publish(): removes it
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void seek(std::size_t position);
  // To disk, then under its name. `is_large`: what was written leaves the page cache.
  void publish(bool is_large);

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail() const;

  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace demotic
