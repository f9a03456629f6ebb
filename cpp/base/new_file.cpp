#include "base/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "base/error.hpp"

namespace demotic {
namespace {

constexpr int kAttempts = 100;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// Hidden, and different each time; long names are cut, so that this one is not too long.
std::string temporary_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  char number[9];
  std::snprintf(number, sizeof number, "%08x", std::random_device()());
  return folder_of(path) + "." + name.substr(0, 200) + "." + number + ".tmp";
}

// The new name is on disk, too. Not every file system can do that, and the file is whole without.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  int descriptor = -1;
  for (int i = 0; i < kAttempts && descriptor < 0; ++i) {
    temporary_ = temporary_name(path_);
    descriptor =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  if (descriptor < 0 || (file_ = ::fdopen(descriptor, "wb")) == nullptr) fail();
}

NewFile::~NewFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  ::unlink(temporary_.c_str());
}

void NewFile::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail();
}

void NewFile::seek(std::size_t position) {
  if (std::fseek(file_, static_cast<long>(position), SEEK_SET) != 0) fail();
}

void NewFile::publish(bool is_large) {
  if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) fail();
#ifdef POSIX_FADV_DONTNEED
  // What was written in small pieces is in memory in small pages; read back, it comes in large
  // ones.
  if (is_large) ::posix_fadvise(::fileno(file_), 0, 0, POSIX_FADV_DONTNEED);
#endif
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary_.c_str());
    errno = reason;
    fail();
  }
  sync_folder(folder_of(path_));
}

void NewFile::fail() const {
  const char* hint = errno == ENOSPC
                         ? "the disk is full: free some space and run the same command again"
                     : errno == EFBIG ? "`ulimit -f` says how large a file may be"
                                      : "check that the folder exists and is writable";
  throw Error(std::string("cannot write: ") + std::strerror(errno), path_, 0, hint);
}

}  // namespace demotic
