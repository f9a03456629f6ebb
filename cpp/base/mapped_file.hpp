// A file mapped read-only into memory: opened in microseconds, its pages shared between processes.
#pragma once

#include <cstddef>
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

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace demotic
