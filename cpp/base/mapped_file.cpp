#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace demotic {
namespace {

// Closes the descriptor unless it is taken.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

std::int64_t change_time(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

// In a signal handler little more than write and _exit is allowed.
void end_after_bus_error(int) {
  static constexpr char kMessage[] =
      "demotic: a file was cut off by another program while it was in use\n"
      "  hint: replace files of a model with mv, not with cp, then repeat the command\n";
  [[maybe_unused]] const auto written = ::write(2, kMessage, sizeof kMessage - 1);
  ::_exit(1);
}

}  // namespace

MappedFile::MappedFile(std::string path) : path_(std::move(path)) {
  Descriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
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
  changed_ = change_time(status);
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
  descriptor_ = std::exchange(file.fd, -1);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      changed_(other.changed_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void MappedFile::check_unchanged() const {
  if (descriptor_ < 0) return;
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0)
    throw Error(std::string("cannot read: ") + std::strerror(errno), path_, 0);
  if (static_cast<std::size_t>(status.st_size) != size_ || change_time(status) != changed_)
    throw Error("the file was changed while it was in use", path_, 0,
                "replace files of a model with mv, not with cp, and load it again");
}

void exit_on_bus_error() {
  struct sigaction action{};
  action.sa_handler = end_after_bus_error;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace demotic
