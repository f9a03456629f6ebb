#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace demotic {
namespace {

// Closes the descriptor on every way out; the mapping stays valid without it.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

MappedFile::MappedFile(std::string path) : path_(std::move(path)) {
  const Descriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0)
    throw Error(std::string("cannot open: ") + std::strerror(errno), path_, 0,
                "check the path and its permissions");
  struct stat status{};
  if (::fstat(file.fd, &status) != 0)
    throw Error(std::string("cannot read: ") + std::strerror(errno), path_, 0);
  if (!S_ISREG(status.st_mode))
    throw Error("not a regular file", path_, 0,
                "a memory-mapped file cannot be a folder or a pipe");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.fd, 0);
  if (address == MAP_FAILED)
    throw Error(std::string("cannot map: ") + std::strerror(errno), path_, 0);
#ifdef MADV_HUGEPAGE
  // Advice only. Where the file system keeps large pages (XFS, ext4 since Linux 6.16) they are
  // shared like small ones, and tables read all over cost fewer misses when addresses are
  // translated.
  ::madvise(address, size_, MADV_HUGEPAGE);
#endif
  data_ = static_cast<const std::byte*>(address);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace demotic
