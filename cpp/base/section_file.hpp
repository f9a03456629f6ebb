// The binary container of Demotic: named arrays of plain values in one file, used in place through
// a memory map.
//
//   header   magic "DEMOTIC\n", byte-order mark, kind ("bitext", "lm", ...), version of that kind,
//            number of sections, checksum of header and table
//   table    per section: name, offset, bytes, bytes per element
//   data     each section at a multiple of 64 bytes; the last one, "crc32c", has the checksums of
//            those before it
//
// A file is written under a temporary name and renamed when it is complete, so a reader never meets
// half of one. Files from before there were checksums have none, and are read all the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/crc32c.hpp"
#include "base/mapped_file.hpp"
#include "base/new_file.hpp"

namespace demotic {

struct SectionEntry {
  std::array<char, 16> name;  // padded with zeros
  std::uint64_t offset, bytes, element_bytes;
};

class SectionWriter {
 public:
  // `kind` and section names: 1 to 15 ASCII characters. `sections`: the exact number of sections
  // that will follow.
  SectionWriter(std::string path, std::string_view kind, std::uint32_t version,
                std::uint32_t sections);
  SectionWriter(const SectionWriter&) = delete;
  SectionWriter& operator=(const SectionWriter&) = delete;

  template <class T>
  void add(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    begin(name, sizeof(T));
    append(values);
    end();
  }
  template <class T>
  void add(std::string_view name, const std::vector<T>& values) {
    add(name, std::span<const T>(values));
  }

  // For sections too large to hold in memory: begin, append any number of times, end.
  void begin(std::string_view name, std::size_t element_bytes);
  template <class T>
  void append(std::span<const T> values) {
    write(values.data(), values.size_bytes());
  }
  void end();

  // Writes the table, flushes to disk, renames the file into place.
  void finish();

 private:
  void write(const void* data, std::size_t bytes);

  NewFile file_;
  std::string kind_;
  std::uint32_t version_, expected_;
  std::vector<SectionEntry> table_;
  std::vector<std::uint32_t> checksums_;  // of the sections that have ended
  Crc32c checksum_;                       // of the section that has begun
  std::uint64_t position_;
};

class SectionReader {
 public:
  // Checks magic, byte order, kind, version, that every section lies inside the file, and the
  // checksums of header, table and small sections; throws Error with a hint.
  SectionReader(std::string path, std::string_view kind, std::uint32_t version);

  // The values of a section, in place. Throws Error if it is absent or its element size differs.
  template <class T>
  std::span<const T> section(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
    const auto bytes = raw(name, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  // The error to throw when the content of a section contradicts itself.
  [[noreturn]] void damaged(const std::string& what) const;
  const std::string& path() const { return file_.path(); }
  std::size_t bytes() const { return file_.bytes().size(); }
  // Before each piece of work with what section() gave: see MappedFile.
  void check_unchanged() const { file_.check_unchanged(); }

 private:
  std::span<const std::byte> raw(std::string_view name, std::size_t element_bytes) const;

  MappedFile file_;
  struct Section {
    std::span<const std::byte> bytes;
    std::uint64_t element_bytes;
  };
  std::map<std::string, Section, std::less<>> sections_;
};

// What all checksums of a file say, for files of any kind and version.
struct SectionCheck {
  std::string kind;
  bool has_checksums;                // false: written before there were any
  std::vector<std::string> damaged;  // sections whose bytes are not those that were written
};

// Reads the whole file. Throws Error if it is no section file, or if header or table are damaged.
SectionCheck check_sections(const std::string& path);

}  // namespace demotic
