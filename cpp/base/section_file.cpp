#include "base/section_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace demotic {
namespace {

constexpr std::array<char, 8> kMagic = {'D', 'E', 'M', 'O', 'T', 'I', 'C', '\n'};
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kNameBytes = 16;
constexpr std::uint64_t kLargeFile = std::uint64_t{16} << 20;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t byte_order, version;
  std::array<char, kNameBytes> kind;
  std::uint32_t sections, reserved;
  std::uint64_t file_bytes;
};

std::array<char, kNameBytes> fixed(std::string_view name) {
  if (name.empty() || name.size() >= kNameBytes)
    throw Error("section name must have 1 to 15 characters: " + std::string(name));
  std::array<char, kNameBytes> result{};
  std::memcpy(result.data(), name.data(), name.size());
  return result;
}

std::string text(const std::array<char, kNameBytes>& name) {
  return {name.data(), ::strnlen(name.data(), kNameBytes)};
}

std::uint64_t data_start(std::uint64_t sections) {
  return sizeof(Header) + sections * sizeof(SectionEntry);
}

}  // namespace

SectionWriter::SectionWriter(std::string path, std::string_view kind, std::uint32_t version,
                             std::uint32_t sections)
    : path_(std::move(path)),
      temporary_(path_ + ".tmp"),
      kind_(kind),
      version_(version),
      expected_(sections),
      file_(std::fopen(temporary_.c_str(), "wb")),
      position_(data_start(sections)) {
  if (file_ == nullptr) fail("cannot write");
}

SectionWriter::~SectionWriter() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  ::unlink(temporary_.c_str());
}

void SectionWriter::begin(std::string_view name, std::size_t element_bytes) {
  // Header and table come last, when they are known: until then the file has no magic and nobody
  // takes it for complete.
  if (table_.empty() && std::fseek(file_, static_cast<long>(position_), SEEK_SET) != 0)
    fail("cannot write");
  static constexpr std::array<char, kAlignment> zeros{};
  write(zeros.data(), (kAlignment - position_ % kAlignment) % kAlignment);
  table_.push_back({fixed(name), position_, 0, element_bytes});
}

void SectionWriter::end() { table_.back().bytes = position_ - table_.back().offset; }

void SectionWriter::finish() {
  if (table_.size() != expected_)
    throw Error("wrote " + std::to_string(table_.size()) + " sections, announced " +
                    std::to_string(expected_),
                path_, 0);
  const Header header{kMagic, kByteOrder, version_, fixed(kind_), expected_, 0, position_};
  if (std::fseek(file_, 0, SEEK_SET) != 0) fail("cannot write");
  write(&header, sizeof header);
  write(table_.data(), table_.size() * sizeof(SectionEntry));
  if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) fail("cannot write");
#ifdef POSIX_FADV_DONTNEED
  // What was written in small pieces is in memory in small pages; read back, it comes in large
  // ones.
  if (position_ >= kLargeFile) ::posix_fadvise(::fileno(file_), 0, 0, POSIX_FADV_DONTNEED);
#endif
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary_.c_str());
    errno = reason;
    fail("cannot write");
  }
}

void SectionWriter::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot write");
  position_ += bytes;
}

void SectionWriter::fail(const std::string& what) const {
  const char* hint = errno == ENOSPC
                         ? "the disk is full: free some space and run the same command again"
                         : "check that the folder exists and is writable";
  throw Error(what + ": " + std::strerror(errno), path_, 0, hint);
}

SectionReader::SectionReader(std::string path, std::string_view kind, std::uint32_t version)
    : file_(std::move(path)) {
  const auto bytes = file_.bytes();
  Header header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    throw Error("not a Demotic binary file", file_.path(), 0,
                "expected a file of kind '" + std::string(kind) + "' written by demotic");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.byte_order != kByteOrder)
    throw Error("written on a machine of the other byte order", file_.path(), 0,
                "build it again on this machine");
  if (text(header.kind) != kind)
    throw Error("holds '" + text(header.kind) + "', not '" + std::string(kind) + "'", file_.path(),
                0, "is this the right file?");
  if (header.version != version)
    throw Error("format version " + std::to_string(header.version) +
                    ", this program reads version " + std::to_string(version),
                file_.path(), 0, "build it again with this version of demotic");
  if (header.file_bytes != bytes.size())
    throw Error("truncated: " + std::to_string(bytes.size()) + " of " +
                    std::to_string(header.file_bytes) + " bytes",
                file_.path(), 0, "copy or build it again");
  if (header.sections > (bytes.size() - sizeof header) / sizeof(SectionEntry))
    damaged("the section table is longer than the file");
  for (std::uint32_t i = 0; i < header.sections; ++i) {
    SectionEntry entry;
    std::memcpy(&entry, bytes.data() + sizeof header + i * sizeof entry, sizeof entry);
    const bool inside = entry.offset % kAlignment == 0 && entry.offset <= bytes.size() &&
                        entry.bytes <= bytes.size() - entry.offset;
    if (!inside || entry.element_bytes == 0 || entry.bytes % entry.element_bytes != 0)
      damaged("section '" + text(entry.name) + "' lies outside the file");
    sections_[text(entry.name)] = {bytes.subspan(entry.offset, entry.bytes), entry.element_bytes};
  }
}

std::span<const std::byte> SectionReader::raw(std::string_view name,
                                              std::size_t element_bytes) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) damaged("section '" + std::string(name) + "' is missing");
  if (found->second.element_bytes != element_bytes)
    damaged("section '" + std::string(name) + "' has elements of another size");
  return found->second.bytes;
}

void SectionReader::damaged(const std::string& what) const {
  throw Error("damaged: " + what, file_.path(), 0, "copy or build it again");
}

}  // namespace demotic
