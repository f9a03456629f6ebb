#include "base/section_file.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace demotic {
namespace {

constexpr std::array<char, 8> kMagic = {'D', 'E', 'M', 'O', 'T', 'I', 'C', '\n'};
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kNameBytes = 16;
constexpr std::uint64_t kLargeFile = std::uint64_t{16} << 20;

constexpr std::size_t kSmallSection = std::size_t{64} << 10;  // checked when the file is opened
constexpr std::string_view kChecksums = "crc32c";
constexpr const char* kPadding = "between sections";

struct Header {
  std::array<char, 8> magic;
  std::uint32_t byte_order, version;
  std::array<char, kNameBytes> kind;
  std::uint32_t sections, checksum;  // of header and table, with 0 here; 0: not known
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

std::uint32_t head_checksum(Header header, const void* table) {
  header.checksum = 0;
  Crc32c crc;
  crc.update(&header, sizeof header);
  crc.update(table, header.sections * sizeof(SectionEntry));
  return crc.value() == 0 ? 1 : crc.value();
}

// The header of a mapped file, if this machine can read what follows.
Header read_header(const MappedFile& file, const std::string& expected) {
  const auto bytes = file.bytes();
  Header header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    throw Error("not a Demotic binary file", file.path(), 0,
                "expected a file " + expected + "written by demotic");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.byte_order != kByteOrder)
    throw Error("written on a machine of the other byte order", file.path(), 0,
                "build it again on this machine");
  return header;
}

[[noreturn]] void throw_damaged(const MappedFile& file, const std::string& what) {
  throw Error("damaged: " + what, file.path(), 0, "copy or build it again");
}

// The table of sections, each of which lies inside the file.
std::vector<SectionEntry> read_table(const MappedFile& file, const Header& header) {
  const auto bytes = file.bytes();
  if (header.file_bytes != bytes.size())
    throw Error("truncated: " + std::to_string(bytes.size()) + " of " +
                    std::to_string(header.file_bytes) + " bytes",
                file.path(), 0, "copy or build it again");
  if (header.sections > (bytes.size() - sizeof header) / sizeof(SectionEntry))
    throw_damaged(file, "the section table is longer than the file");
  std::vector<SectionEntry> table(header.sections);
  const std::byte* place = bytes.data() + sizeof header;
  if (!table.empty()) std::memcpy(table.data(), place, table.size() * sizeof(SectionEntry));
  if (header.checksum != 0 && header.checksum != head_checksum(header, table.data()))
    throw_damaged(file, "header or section table have changed");
  for (const SectionEntry& entry : table) {
    const bool inside = entry.offset % kAlignment == 0 && entry.offset <= bytes.size() &&
                        entry.bytes <= bytes.size() - entry.offset;
    if (!inside || entry.element_bytes == 0 || entry.bytes % entry.element_bytes != 0)
      throw_damaged(file, "section '" + text(entry.name) + "' lies outside the file");
  }
  return table;
}

// Sections of at most `longest` bytes that are not as they were written.
std::vector<std::string> damaged_sections(const MappedFile& file,
                                          const std::vector<SectionEntry>& table,
                                          std::uint64_t longest) {
  std::vector<std::string> damaged;
  if (table.empty() || text(table.back().name) != kChecksums) return damaged;
  const SectionEntry& sums = table.back();
  if (sums.bytes != (table.size() - 1) * sizeof(std::uint32_t)) return {std::string(kChecksums)};
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    if (table[i].bytes > longest) continue;
    std::uint32_t expected;
    std::memcpy(&expected, file.bytes().data() + sums.offset + i * sizeof expected,
                sizeof expected);
    if (Crc32c::of(file.bytes().data() + table[i].offset, table[i].bytes) != expected)
      damaged.push_back(text(table[i].name));
  }
  return damaged;
}

// Whether the bytes between table and sections, which nobody reads, are zeros as they were written.
bool is_padding_whole(const MappedFile& file, const std::vector<SectionEntry>& table) {
  std::uint64_t end = data_start(table.size());
  for (const SectionEntry& entry : table) {
    for (; end < entry.offset; ++end)
      if (file.bytes()[end] != std::byte{0}) return false;
    end = entry.offset + entry.bytes;
  }
  return true;
}

}  // namespace

SectionWriter::SectionWriter(std::string path, std::string_view kind, std::uint32_t version,
                             std::uint32_t sections)
    : file_(std::move(path)),
      kind_(kind),
      version_(version),
      expected_(sections),
      position_(data_start(sections + std::uint64_t{1})) {}

void SectionWriter::begin(std::string_view name, std::size_t element_bytes) {
  // Header and table come last, when they are known: until then the file has no magic and nobody
  // takes it for complete.
  if (table_.empty()) file_.seek(position_);
  static constexpr std::array<char, kAlignment> zeros{};
  write(zeros.data(), (kAlignment - position_ % kAlignment) % kAlignment);
  table_.push_back({fixed(name), position_, 0, element_bytes});
  checksum_ = Crc32c();
}

void SectionWriter::end() {
  table_.back().bytes = position_ - table_.back().offset;
  checksums_.push_back(checksum_.value());
}

void SectionWriter::finish() {
  if (table_.size() != expected_)
    throw Error("wrote " + std::to_string(table_.size()) + " sections, announced " +
                    std::to_string(expected_),
                file_.path(), 0);
  add(kChecksums, std::vector<std::uint32_t>(checksums_));
  Header header{kMagic, kByteOrder, version_, fixed(kind_), expected_ + 1, 0, position_};
  header.checksum = head_checksum(header, table_.data());
  const bool is_large = position_ >= kLargeFile;
  file_.seek(0);
  write(&header, sizeof header);
  write(table_.data(), table_.size() * sizeof(SectionEntry));
  file_.publish(is_large);
}

void SectionWriter::write(const void* data, std::size_t bytes) {
  file_.write(data, bytes);
  checksum_.update(data, bytes);
  position_ += bytes;
}

SectionReader::SectionReader(std::string path, std::string_view kind, std::uint32_t version)
    : file_(std::move(path)) {
  const Header header = read_header(file_, "of kind '" + std::string(kind) + "' ");
  if (text(header.kind) != kind)
    throw Error("holds '" + text(header.kind) + "', not '" + std::string(kind) + "'", file_.path(),
                0, "is this the right file?");
  if (header.version != version)
    throw Error("format version " + std::to_string(header.version) +
                    ", this program reads version " + std::to_string(version),
                file_.path(), 0,
                header.version > version
                    ? "it was made by a newer version of demotic: update this one"
                    : "build it again with this version of demotic");
  const std::vector<SectionEntry> table = read_table(file_, header);
  for (const std::string& name : damaged_sections(file_, table, kSmallSection))
    damaged("section '" + name + "' has changed");
  for (const SectionEntry& entry : table)
    sections_[text(entry.name)] = {file_.bytes().subspan(entry.offset, entry.bytes),
                                   entry.element_bytes};
}

SectionCheck check_sections(const std::string& path) {
  const MappedFile file(path);
  const Header header = read_header(file, "");
  const std::vector<SectionEntry> table = read_table(file, header);
  SectionCheck check{text(header.kind), header.checksum != 0,
                     damaged_sections(file, table, std::numeric_limits<std::uint64_t>::max())};
  if (check.has_checksums && !is_padding_whole(file, table)) check.damaged.push_back(kPadding);
  return check;
}

std::span<const std::byte> SectionReader::raw(std::string_view name,
                                              std::size_t element_bytes) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) damaged("section '" + std::string(name) + "' is missing");
  if (found->second.element_bytes != element_bytes)
    damaged("section '" + std::string(name) + "' has elements of another size");
  return found->second.bytes;
}

void SectionReader::damaged(const std::string& what) const { throw_damaged(file_, what); }

}  // namespace demotic
